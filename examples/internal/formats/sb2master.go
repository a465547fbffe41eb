package formats

import (
	"errors"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/gamespy2/sb2"
)

// Sb2MasterStream is the name of the stream from a master of server browsing.
const Sb2MasterStream = "sb2.MasterStream"

// newSB2MasterStream returns the format of all data that a master sends to a client. all
// contains the other formats of the package.
func newSB2MasterStream(all []Format) Format {
	head, _ := Find(all, "sb2.Head")
	list, _ := Find(all, "sb2.List")
	push, _ := Find(all, "sb2.Push")
	pushes := membersOf[sb2.Push](all)
	return Format{
		Name: Sb2MasterStream,
		Doc: "all that a master sends to a client: a Head, then encrypted a List and pushed messages; needs " +
			"-secret and -request",
		Codec: Stream{
			proto:   "sb2",
			members: append(members{head, list}, pushes...),
			decrypt: decryptSB2,
			open: func(o Options) cutter {
				c := sb2Cutter{head: head, list: list, push: push, options: o}
				return c.cut
			},
		},
	}
}

// decryptSB2 decrypts the data from a master, except the head. Without the secret key
// it returns b.
func decryptSB2(b []byte, o Options) []byte {
	size := sizeOf(sb2.Explain[sb2.Head](b), "challenge")
	if size == 0 || !o.ServerBrowsing.HasKey() {
		return b
	}
	head, err := sb2.ParseHead(b[:size])
	if err != nil {
		return b
	}
	c, err := sb2.NewCipher(o.ServerBrowsing.secretOfRequest(), o.ServerBrowsing.Request.Challenge, head.Challenge)
	if err != nil {
		return b
	}
	plain := make([]byte, len(b))
	copy(plain, b[:size])
	c.Decrypt(plain[size:], b[size:])
	return plain
}

// sizeOf returns the size of a message up to the end of its last field, 0 if it is cut or
// the field is missing.
func sizeOf(e lobbywire.Explanation, last string) int {
	if errors.Is(e.Err, lobbywire.ErrTruncated) {
		return 0
	}
	for _, f := range e.Fields {
		if f.Name == last {
			return f.Offset + f.Length
		}
	}
	return 0
}

// An sb2Cutter cuts the stream of a master.
type sb2Cutter struct {
	head, list, push Format
	options          Options

	cuts int       // messages
	keys []sb2.Key // of a PushServer
}

func (c *sb2Cutter) cut(rest []byte) (size int, f Format, err error) {
	defer func() { c.cuts++ }()
	switch {
	case c.cuts == 0:
		e := sb2.Explain[sb2.Head](rest)
		return sizeOf(e, "challenge"), c.head, e.Err
	case !c.options.ServerBrowsing.HasKey():
		return len(rest), encryptedSB2(), nil
	case c.cuts == 1:
		return c.cutList(rest)
	}
	return c.cutPush(rest)
}

// cutList cuts the list, which ends with an error, its end, or without servers.
func (c *sb2Cutter) cutList(rest []byte) (size int, f Format, err error) {
	o := sb2Options(c.options)
	o.NoList = c.options.ServerBrowsing.Request.Options&sb2.OptionNoList != 0
	f = newSB2Message("sb2.List", "", func(_ sb2.Options, b []byte) (sb2.List, error) { return o.ParseList(b) },
		func(_ sb2.Options, b []byte) lobbywire.Explanation { return sb2.ExplainWith[sb2.List](o, b) })
	e := sb2.ExplainWith[sb2.List](o, rest)
	for _, last := range []string{"end", "error"} {
		size = sizeOf(e, last)
		if size > 0 {
			break
		}
	}
	if o.NoList && size == 0 {
		size = sizeOf(e, "defaultPort")
	}
	if size > 0 {
		m, err := o.ParseList(rest[:size])
		if err == nil {
			c.keys = m.Keys
		}
		return size, f, err
	}
	return 0, f, e.Err
}

// cutPush cuts a pushed message.
func (c *sb2Cutter) cutPush(rest []byte) (size int, f Format, err error) {
	frame, _, err := sb2.NextFrame(rest, sb2.MaxMessage)
	if err != nil {
		return 0, c.push, err
	}
	o := sb2Options(c.options)
	o.Keys = c.keys
	switch m, _ := o.ParsePush(frame); m := m.(type) {
	case sb2.PushKeys:
		c.keys = m.Keys
	case sb2.PushServer:
		return len(frame), newSB2Message("sb2.PushServer", "",
			func(_ sb2.Options, b []byte) (sb2.PushServer, error) { return o.ParsePushServer(b) },
			func(_ sb2.Options, b []byte) lobbywire.Explanation { return sb2.ExplainWith[sb2.PushServer](o, b) }), nil
	}
	return len(frame), c.push, nil
}

// encryptedSB2 returns the format of bytes whose key is unknown.
func encryptedSB2() Format {
	return newMessage("sb2.Encrypted", "encrypted bytes", encrypted{},
		func(b []byte, _ Options) (encoder, error) { return encrypted{b}, nil },
		func(b []byte) lobbywire.Explanation {
			return lobbywire.Explanation{Fields: []lobbywire.Field{{Name: "encrypted", Length: len(b)}}}
		})
}

// encrypted is bytes whose key is unknown.
type encrypted struct{ Data []byte }

func (m encrypted) AppendBinary(b []byte) ([]byte, error) { return append(b, m.Data...), nil }

// HasKey reports whether the answer to the request can be decrypted.
func (c ServerBrowsing) HasKey() bool { return c.Request.FromGame != "" && c.secretOfRequest() != "" }
