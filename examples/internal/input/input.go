// Package input reads the files that a user gives a program.
package input

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/lobbywire/lobbywire/examples/internal/capture"
	"github.com/lobbywire/lobbywire/examples/internal/dump"
)

// Max limits the total size of all files. It is our choice, far more than any of
// the protocols needs.
const Max = 64 << 20

// Stdin is the file name that means standard input.
const Stdin = "-"

// Forms that package dump lacks.
const (
	Raw  = "raw" // bytes as they are
	auto = ""    // as they look
)

// A Reader reads the files of one run.
type Reader struct {
	Stdin io.Reader
	Say   io.Writer // gets a line about each file whose form is a guess
	Form  string    // of all files: Raw, dump.Hex, dump.Base64, or "" for as they look
	size  int       // of what has been read
}

// Read returns the bytes of a file with one message, see [Reader.Message].
func (in *Reader) Read(name string, fits func(b []byte) bool) ([]byte, error) {
	b, err := in.Raw(name)
	if err != nil {
		return nil, err
	}
	return in.Message(name, b, fits)
}

// Message returns the message in a file, which contains its bytes or a text that package dump
// reads. If both are possible, fits decides. It is nil if nothing is known about the message.
func (in *Reader) Message(name string, b []byte, fits func(b []byte) bool) ([]byte, error) {
	if capture.Is(b) && in.Form == auto && (fits == nil || !fits(b)) {
		return nil, fmt.Errorf("%s is a capture: explain it without a MESSAGE, or write -as raw", name)
	}
	t, isText, err := in.text(name, b, fits)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	if !isText {
		if in.Form == auto && fits == nil && dump.IsText(b) {
			in.say(dump.Text{Form: "raw bytes, as the text is in no known form", Packets: [][]byte{b}}, 0, 0)
		}
		return b, nil
	}
	data, headers, err := payload(t)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	if in.guessed(name, t) || headers > 0 {
		in.say(t, headers, len(data))
	}
	return data, nil
}

// Packets returns the packets of a text with dumps of packets, such as tcpdump -X prints. It
// reports false if the file is not such a text.
func (in *Reader) Packets(name string, b []byte) (f capture.File, ok bool, err error) {
	t, isText, err := in.text(name, b, nil)
	if err != nil && !t.Weak {
		return f, false, fmt.Errorf("%s: %w", name, err)
	}
	f, ok = capture.ReadPackets(t.Packets)
	if isText && ok {
		in.say(t, 0, 0)
	}
	return f, isText && ok, nil
}

// text reads a file as a text of package dump. Without fits, nothing is known about the
// message in it.
func (in *Reader) text(name string, b []byte, fits func(b []byte) bool) (t dump.Text, isText bool, err error) {
	switch {
	case in.Form == Raw:
		return dump.Text{}, false, nil
	case in.Form != auto || filepath.Ext(name) == ".hex":
		form := in.Form
		if form == auto {
			form = dump.Hex
		}
		t, err = dump.As(form, b, Max)
		return t, true, err
	}
	t, isText, err = dump.Read(b, Max)
	if !isText || !t.Weak || fits == nil {
		return t, isText, err
	}
	isRaw := fits(b)
	isDump := err == nil && fits(t.Packets[0])
	switch {
	case isRaw && !isDump:
		return dump.Text{}, false, nil
	case isRaw, !isDump && err == nil && t.Form == dump.Base64:
		return t, true, fmt.Errorf("may be %s, or the bytes of the message themselves: write -as %s or -as raw",
			t.Form, map[bool]string{true: dump.Base64, false: dump.Hex}[t.Form == dump.Base64])
	}
	return t, true, err
}

// guessed reports whether the form of a file is not known from its name and the flags.
func (in *Reader) guessed(name string, t dump.Text) bool {
	known := dump.Base64
	if in.Form == dump.Hex || filepath.Ext(name) == ".hex" {
		known = dump.FormHex
	}
	return in.Form == auto && filepath.Ext(name) != ".hex" || t.Form != known
}

// say prints how a file was read.
func (in *Reader) say(t dump.Text, headers, size int) {
	if in.Say == nil {
		return
	}
	what := fmt.Sprintf("read as: %s, %d bytes", t.Form, total(t.Packets))
	if headers > 0 {
		what += fmt.Sprintf("; the message is the last %d of them, behind the headers of the packet", size)
	}
	// An error of printing here is not an error of the file.
	_, _ = fmt.Fprintln(in.Say, what)
}

func total(packets [][]byte) (n int) {
	for _, p := range packets {
		n += len(p)
	}
	return n
}

// payload returns the message in a text. If it has headers of IP, these are not part of the
// message, and headers is their size.
func payload(t dump.Text) (b []byte, headers int, err error) {
	if file, ok := capture.ReadPackets(t.Packets); ok {
		if len(file.Sent) != 1 {
			return nil, 0, fmt.Errorf("%d messages: explain without a MESSAGE, or leave one of them", len(file.Sent))
		}
		data := file.Sent[0].Data
		return data, total(t.Packets) - len(data), nil
	}
	if len(t.Packets) != 1 {
		return nil, 0, fmt.Errorf("%d dumps, and one is one message: put each into a file", len(t.Packets))
	}
	return t.Packets[0], 0, nil
}

// Raw returns the content of a file, without the compression of a capture or of a file that
// is called .gz.
func (in *Reader) Raw(name string) ([]byte, error) {
	r := in.Stdin
	if name != Stdin {
		f, err := os.Open(name)
		if err != nil {
			return nil, err
		}
		defer f.Close()
		r = f
	}
	b, err := in.readAll(name, r)
	if err != nil {
		return b, err
	}
	return in.Unpack(name, b)
}

// Unpack returns the content of a file without the compression of a capture or of a file that
// is called .gz.
func (in *Reader) Unpack(name string, b []byte) (_ []byte, err error) {
	if !bytes.HasPrefix(b, []byte{0x1f, 0x8b, 8}) {
		return b, err
	}
	z, err := gzip.NewReader(bytes.NewReader(b))
	isGzip := filepath.Ext(name) == ".gz"
	if err == nil {
		var inner []byte
		inner, err = in.readAll(name, z)
		if isGzip || capture.Is(inner) {
			return inner, err
		}
	}
	if isGzip {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return b, nil
}

// readAll reads r, which is a part of a file with that name.
func (in *Reader) readAll(name string, r io.Reader) ([]byte, error) {
	b, err := io.ReadAll(io.LimitReader(r, int64(Max-in.size)+1))
	if err != nil {
		return b, err
	}
	in.size += len(b)
	if in.size > Max {
		return nil, fmt.Errorf("%s: more than %d bytes of input", name, Max)
	}
	return b, nil
}
