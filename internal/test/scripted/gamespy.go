package scripted

import (
	"bytes"
	"errors"
	"fmt"
	"strconv"
	"strings"
)

// A Reading is a response as a client reads it: the pairs, and the values of each column
// by row.
type Reading struct {
	Info    map[string]string
	Columns map[string][]string
}

// NewReading returns an empty Reading.
func NewReading() *Reading {
	return &Reading{Info: map[string]string{}, Columns: map[string][]string{}}
}

// Set sets the value of a row.
func (r *Reading) Set(column string, row int, value string) {
	for len(r.Columns[column]) <= row {
		r.Columns[column] = append(r.Columns[column], "")
	}
	r.Columns[column][row] = value
}

// readInfo reads pairs up to an empty key and returns the bytes after it.
func (r *Reading) readInfo(b []byte) []byte {
	for len(b) > 0 {
		var key string
		key, b = text(b)
		if key == "" {
			break
		}
		r.Info[key], b = text(b)
	}
	return b
}

// readColumn reads a column up to an empty value and returns the bytes after it. It
// reports whether there is a column.
func (r *Reading) readColumn(b []byte) (rest []byte, found bool) {
	column, b := text(b)
	if column == "" || len(b) == 0 {
		return b, false
	}
	row := int(b[0])
	for b = b[1:]; len(b) > 0; row++ {
		var value string
		value, b = text(b)
		if value == "" {
			break
		}
		r.Set(column, row, value)
	}
	return b, true
}

// text returns the text at the start of b, and the bytes after its zero byte.
func text(b []byte) (string, []byte) {
	head, rest, _ := bytes.Cut(b, []byte{0})
	return string(head), rest
}

// Gamedig reads each packet on its own. It takes every byte below 3 between columns
// for the start of a section, and reads keys in the first packet only.
func Gamedig(packets [][]byte) (*Reading, error) {
	r := NewReading()
	for i, b := range packets {
		b = b[16:]
		if i == 0 {
			b = r.readInfo(b)
		}
		for more := true; more && len(b) > 0; {
			if b[0] <= 2 {
				b = b[1:]
			} else {
				b, more = r.readColumn(b)
			}
		}
	}
	return r, nil
}

// GameQ joins the packets as text. It removes the last value of a packet if the next one
// starts with it, unless the value is 0, which PHP takes for empty. If the packet before also
// contains the column name at the start of a packet, it removes all occurrences of the name
// from the packet. It ignores the rows of columns.
func GameQ(packets [][]byte) (*Reading, error) {
	parts := make([]string, len(packets))
	for i, b := range packets {
		parts[i] = string(b[16:])
	}
	for i := 0; i+1 < len(parts); i++ {
		head := parts[i][:len(parts[i])-1]
		last := head[strings.LastIndexByte(head, 0)+1:]
		next := parts[i+1]
		next = next[strings.IndexByte(next, 0)+2:]
		first, _, _ := strings.Cut(next, "\x00")
		if last != "" && last != "0" && strings.Contains(first, last) {
			parts[i] = head[:len(head)-len(last)]
		}
	}
	for i := 1; i < len(parts); i++ {
		name, _, _ := strings.Cut(parts[i], "\x00")
		if name != "" && strings.Contains(parts[i-1], name) {
			parts[i] = strings.ReplaceAll(parts[i], name, "")[2:]
		}
	}
	r := NewReading()
	b := r.readInfo([]byte(strings.Join(parts, "")))
	items := strings.Split(string(b), "\x00\x00")
	column := ""
	for _, item := range items[:len(items)-1] {
		switch {
		case item == "" || item == "\x00":
		case strings.HasSuffix(item, "_") || strings.HasSuffix(item, "_t"):
			column = strings.Trim(item, "\x00\x01\x02")
		default:
			for value, rest := text([]byte(item)); value != ""; value, rest = text(rest) {
				r.Columns[column] = append(r.Columns[column], value)
			}
		}
	}
	return r, nil
}

// OpenGSQ drops the last text of each packet, and joins the packets. It writes the
// start of a column anew if a packet starts with row 0 of it. A column ends at two
// zero bytes.
func OpenGSQ(packets [][]byte) (*Reading, error) {
	var joined []byte
	for _, b := range packets {
		section, b := b[15], b[16:]
		var head []byte
		if section >= 1 {
			var name string
			name, b = text(b)
			if b[0] == 0 {
				head = []byte("\x00" + string(section) + name + "\x00\x00")
			}
			b = b[1:]
		}
		b = append(head, b[:len(b)-1]...)
		joined = append(joined, b[:bytes.LastIndexByte(b, 0)+1]...)
	}
	r := NewReading()
	joined = r.readInfo(joined)
	isLetter := func(c byte) bool { return c|0x20 >= 'a' && c|0x20 <= 'z' }
	rows, started := 0, map[bool]bool{} // by whether the column is one of teams
	for b := append([]byte{0}, joined...); len(b) > 2; {
		end := 2
		for end < len(b) && (isLetter(b[end]) || b[end] == '_') {
			end++
		}
		if b[0] != 0 || isLetter(b[1]) || end == 2 || !bytes.HasPrefix(b[end:], []byte{0, 0}) {
			b = b[1:]
			continue
		}
		column, id := string(b[2:end]), b[1]
		b = b[end+2:]
		size := bytes.Index(b[min(1, len(b)):], []byte{0, 0}) + 1
		if size == 0 {
			break
		}
		values := strings.Split(string(b[:size]), "\x00")
		b = b[size:]
		isTeam := strings.HasSuffix(column, "_t")
		if column == "player_" || id != 0 && !started[isTeam] {
			rows = len(values)
		}
		started[isTeam] = true
		if len(values) > rows {
			return nil, fmt.Errorf("column %s has %d values for %d rows", column, len(values), rows)
		}
		r.Columns[column] = values
	}
	return r, nil
}

// Qstat reads the packets with one state machine. It stops when there are more players
// than numplayers.
func Qstat(packets [][]byte) (*Reading, error) {
	const (
		inInfo = iota
		inPlayers
		inTeams
	)
	r := NewReading()
	state, limit := inInfo, 0
	for _, b := range packets {
		b = b[16:]
		for state == inInfo && len(b) > 0 {
			if bytes.HasPrefix(b, []byte{0, 1}) {
				state, b = inPlayers, b[2:]
				break
			}
			var key, value string
			key, b = text(b)
			if len(b) == 0 {
				return nil, errors.New("no rule value")
			}
			value, b = text(b)
			r.Info[key] = value
			if key == "numplayers" {
				limit, _ = strconv.Atoi(value)
			}
		}
		for state == inPlayers && len(b) > 0 {
			var column string
			column, b = text(b)
			if column == "" {
				return r, nil
			}
			row := int(b[0])
			for b = b[1:]; len(b) > 0; row++ {
				if b[0] == 0 {
					b = b[1:]
					if len(b) > 0 && b[0] == 0 {
						state, b = inTeams, b[2:]
					}
					break
				}
				var value string
				value, b = text(b)
				r.Set(column, row, value)
				if row >= limit {
					return nil, errors.New("too many players")
				}
			}
		}
		for state == inTeams && len(b) > 0 {
			var column string
			column, b = text(b)
			if column == "" {
				return r, nil
			}
			row := int(b[0])
			for b = b[1:]; len(b) > 0; row++ {
				var value string
				value, b = text(b)
				r.Set(column, row, value)
				if len(b) > 0 && b[0] == 0 {
					b = b[1:]
					break
				}
			}
		}
	}
	return r, nil
}

// SDK reads each packet when it arrives, as GameSpy's SDK does in Battlefield 2. It ends
// once it has received the last packet and all packets before it, and ignores packets
// from number 8 on.
func SDK(packets [][]byte) (*Reading, error) {
	r := NewReading()
	arrived := 0
	for _, b := range packets {
		number, isLast := int(b[14]&0x7f), b[14]&0x80 != 0
		if number > 7 {
			continue
		}
		arrived |= 1 << number
		if isLast {
			arrived |= 0xff << number
		}
		r.readSections(b[15:])
		if arrived&0xff == 0xff {
			return r, nil
		}
	}
	return nil, errors.New("packets are missing")
}

// readSections reads the sections of a packet, by the number that each starts with.
func (r *Reading) readSections(b []byte) {
	for len(b) > 0 && b[0] <= 2 {
		section := b[0]
		b = b[1:]
		if section == 0 {
			b = r.readInfo(b)
		}
		for more := section > 0; more && len(b) > 0; {
			b, more = r.readColumn(b)
		}
	}
}
