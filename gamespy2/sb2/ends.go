package sb2

import (
	"bytes"
	"encoding/binary"
)

// An ends finds the end of each part of an answer that arrives in pieces. It looks
// at each byte once. Its methods take the bytes of a part from its start. They
// return its size; ok is false if the part is not complete.
type ends struct {
	stage    stage
	at       int  // where the next field starts
	searched int  // there is no end of a text before this position
	left     int  // number of keys, values or fields that follow
	isValue  bool // the value of a rule comes next, not a key
}

// A stage is the element of a part that comes next.
type stage uint8

const (
	stageFixed stage = iota // fields of fixed size
	stageKeyCount
	stageKeys
	stagePopularCount
	stageTexts // popular values, or the text of an error
	stageFields
)

// skip passes over n bytes.
func (e *ends) skip(p []byte, n int) bool {
	if len(p)-e.at < n {
		return false
	}
	e.at += n
	return true
}

// text passes over n bytes and a text.
func (e *ends) text(p []byte, n int) bool {
	from := max(e.at+n, e.searched)
	if from < len(p) {
		if i := bytes.IndexByte(p[from:], 0); i >= 0 {
			e.at = from + i + 1
			return true
		}
	}
	e.searched = len(p)
	return false
}

// head finds the end of a [Head].
func (e *ends) head(p []byte) (size int, ok bool) {
	if len(p) == 0 {
		return 0, false
	}
	size = 1 + int(p[0]^optionsMask)
	if len(p) <= size {
		return 0, false
	}
	size += 1 + int(p[size]^challengeMask)
	return size, len(p) >= size
}

// start finds the end of what is before the servers of a [List].
func (e *ends) start(p []byte, noList bool) (size int, ok bool) {
	if e.stage == stageFixed {
		if !e.skip(p, ipSize+portSize) {
			return 0, false
		}
		switch {
		case binary.BigEndian.Uint16(p[ipSize:]) == ErrorPort:
			e.stage, e.left = stageTexts, 1
		case noList:
			e.stage = stageTexts
		default:
			e.stage = stageKeyCount
		}
	}
	for ; e.stage < stageTexts; e.stage++ {
		if e.stage == stageKeys {
			ok = e.texts(p, 1)
		} else if ok = e.skip(p, 1); ok {
			e.left = int(p[e.at-1])
		}
		if !ok {
			return 0, false
		}
	}
	ok = e.texts(p, 0)
	return e.at, ok
}

// texts passes over the remaining texts, each with n bytes before it.
func (e *ends) texts(p []byte, n int) bool {
	for ; e.left > 0; e.left-- {
		if !e.text(p, n) {
			return false
		}
	}
	return true
}

// server finds the end of a server in a list, or the end of the list.
func (e *ends) server(p []byte, keys []Key) (size int, ok bool) {
	if e.stage == stageFixed {
		if len(p) < minServer {
			return 0, false
		}
		if isEnd(p) {
			return minServer, true
		}
		if !e.skip(p, Flags(p[0]).fixedSize()) {
			return 0, false
		}
		if Flags(p[0])&FlagFields != 0 {
			e.left = len(keys)
		}
		e.stage = stageFields
	}
	for ; e.left > 0; e.left-- {
		if !e.field(p, keys[len(keys)-e.left].Type) {
			return 0, false
		}
	}
	if Flags(p[0])&FlagRules == 0 {
		return e.at, true
	}
	for ; e.isValue || e.at == len(p) || p[e.at] != 0; e.isValue = !e.isValue {
		if !e.text(p, 0) {
			return 0, false
		}
	}
	return e.at + 1, true // the zero byte after the rules
}

// field passes over a field in a list.
func (e *ends) field(p []byte, t KeyType) bool {
	switch {
	case t == KeyShort:
		return e.skip(p, 2)
	case t == KeyText && e.at < len(p) && p[e.at] == ownText:
		return e.text(p, 1)
	}
	return e.skip(p, 1) // a number, or the index of a popular value
}

// message finds the end of a pushed message.
func (e *ends) message(p []byte) (size int, ok bool) {
	if len(p) < lengthSize {
		return 0, false
	}
	size = max(int(binary.BigEndian.Uint16(p)), lengthSize)
	return size, len(p) >= size
}
