package main

import (
	"fmt"
	"io"

	"github.com/lobbywire/lobbywire/examples/internal/capture"
)

// writeRaw prints all bytes that were sent, in order, as explain prints a capture.
// Messages in unknown formats have no comments.
func writeRaw(w io.Writer, protocol string, all []capture.Sent) error {
	talks := recognize(all, protocol, defaultOptions())
	var others map[ends]*talk // in any protocol; lists may have another one than queries
	for _, s := range all {
		t := talks[endsOf(s)]
		if t.speaks == nil {
			if others == nil {
				others = recognize(all, "", defaultOptions())
			}
			t = others[endsOf(s)]
		}
		if err := t.writeRaw(w, s); err != nil {
			return err
		}
	}
	return nil
}

// writeRaw prints a message of a talk.
func (t *talk) writeRaw(w io.Writer, s capture.Sent) error {
	title := fmt.Sprintf("# %s %v > %v, %s", s.At.UTC().Format(captureTime), s.From, s.To, count(len(s.Data), "byte"))
	if t.speaks != nil {
		if r := t.speaks.read(s); r.fits() || r.reach > 0 {
			if _, err := fmt.Fprintf(w, "%s, %s\n", title, r.name); err != nil {
				return err
			}
			// The output has the error of a broken message.
			_ = r.explain(w, s.Data, r.options)
			_, err := fmt.Fprintln(w)
			return err
		}
	}
	if _, err := fmt.Fprintln(w, title); err != nil {
		return err
	}
	if err := writeHex(w, s.Data); err != nil {
		return err
	}
	_, err := fmt.Fprintln(w)
	return err
}
