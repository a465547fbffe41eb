package traffic

import (
	"cmp"
	"errors"
	"regexp"
	"slices"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/examples/internal/capture"
	"github.com/lobbywire/lobbywire/examples/internal/formats"
)

// A Commenter explains the frames of a capture in comments. Wireshark shows them with the script
// that gamequery prints.
type Commenter struct {
	conversations map[Ends]*Conversation
	frame         int // number of the last one
	explained     int // messages

	sent    map[int][]capture.Sent // of a file, by the frame that completes them
	pending map[int][]string       // comments of later frames
	ours    *regexp.Regexp         // matches comments of an earlier run

	live *follower // nil for a file
}

// NewCommenter returns a Commenter for the frames of a file. The arguments are the same as
// for [Explain].
func NewCommenter(file capture.File, only string, o formats.Options) *Commenter {
	c := &Commenter{
		conversations: Recognize(file.Sent, only, o),
		sent:          make(map[int][]capture.Sent),
		pending:       make(map[int][]string),
		ours:          startOfOurs(),
	}
	for _, s := range file.Sent {
		if len(s.Parts) == 0 {
			continue
		}
		frame := s.Parts[0].Frame
		if a := (arrival{parts: s.Parts}); !s.Stream {
			frame = a.of(len(s.Data))
		}
		c.sent[frame] = append(c.sent[frame], s)
	}
	return c
}

// Explained returns the number of messages that have comments.
func (c *Commenter) Explained() int { return c.explained }

// Comment replaces the comments that an earlier run has added to the next frame.
func (c *Commenter) Comment(f *capture.Frame) {
	c.frame++
	sent := c.sent[c.frame]
	delete(c.sent, c.frame)
	if c.live != nil {
		sent = c.live.stack.Add(*f)
	}
	for _, s := range sent {
		c.explain(s)
	}
	f.Options.Comments = append(slices.DeleteFunc(f.Options.Comments, c.ours.MatchString), c.pending[c.frame]...)
	delete(c.pending, c.frame)
}

// explain writes the comments of the messages of s that the last frame completes, or a later
// one.
func (c *Commenter) explain(s capture.Sent) {
	t := c.conversations[EndsOf(s)]
	if c.live != nil {
		t = c.hear(s)
	}
	if t.leaves(s) != "" {
		return
	}
	r := t.Session.Read(s)
	if c.live != nil && !r.fits() && c.live.recognize(t) {
		r = t.Session.Read(s)
	}
	if !t.byPort && !r.fits() && r.reach == 0 {
		return
	}
	notes := marks(s, r, t.others)
	if s.Stream {
		notes = nil
		if secret := markOfSecret(r); secret != "" {
			notes = []string{secret}
		}
	}
	a := arrival{parts: s.Parts}
	// The function never fails.
	_ = r.Sections(s.Data, r.Options, func(part formats.Section) error {
		frame := a.of(part.Offset + part.Length)
		waits := c.live != nil && s.NoEnd && errors.Is(part.Err, lobbywire.ErrTruncated)
		if frame < c.frame || waits || part.Name == "" && part.Err == nil {
			return nil
		}
		part.Name = cmp.Or(part.Name, r.Name)
		c.explained++
		c.pending[frame] = append(c.pending[frame], comments(s, frame, part, notes)...)
		return nil
	})
}
