package traffic

import (
	"fmt"
	"io"
	"slices"

	"github.com/lobbywire/lobbywire/examples/internal/capture"
	"github.com/lobbywire/lobbywire/examples/internal/formats"
)

// hexPerLine is the number of bytes on a line.
const hexPerLine = 16

// WriteHex writes bytes as lines of hexadecimal.
func WriteHex(w io.Writer, b []byte) error {
	for row := range slices.Chunk(b, hexPerLine) {
		if _, err := fmt.Fprintf(w, "% x\n", row); err != nil {
			return err
		}
	}
	return nil
}

// WriteRaw prints all bytes that were sent, in order, as explain prints a capture.
// Messages in unknown formats have no comments.
func WriteRaw(w io.Writer, protocol string, all []capture.Sent) error {
	conversations := Recognize(all, protocol, formats.DefaultOptions())
	var others map[Ends]*Conversation // in any protocol; lists may have another one than queries
	for _, s := range all {
		t := conversations[EndsOf(s)]
		if t.Session == nil {
			if others == nil {
				others = Recognize(all, "", formats.DefaultOptions())
			}
			t = others[EndsOf(s)]
		}
		if err := t.writeRaw(w, s); err != nil {
			return err
		}
	}
	return nil
}

// writeRaw prints a message of a conversation.
func (t *Conversation) writeRaw(w io.Writer, s capture.Sent) error {
	title := fmt.Sprintf("# %s %v > %v, %s", s.At.UTC().Format(captureTime), s.From, s.To,
		count(len(s.Data), "byte"))
	if t.Session != nil {
		if r := t.Session.Read(s); r.fits() || r.reach > 0 {
			if _, err := fmt.Fprintf(w, "%s, %s\n", title, r.Name); err != nil {
				return err
			}
			// The output has the error of a broken message.
			_ = r.Explain(w, s.Data, r.Options)
			_, err := fmt.Fprintln(w)
			return err
		}
	}
	if _, err := fmt.Fprintln(w, title); err != nil {
		return err
	}
	if err := WriteHex(w, s.Data); err != nil {
		return err
	}
	_, err := fmt.Fprintln(w)
	return err
}
