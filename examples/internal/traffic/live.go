package traffic

import (
	"slices"

	"github.com/lobbywire/lobbywire/examples/internal/capture"
	"github.com/lobbywire/lobbywire/examples/internal/formats"
)

// Limits of the memory for frames that arrive one by one. They are ours.
const (
	maxLiveTried  = 16      // messages of a conversation for finding its service
	maxLiveStream = 1 << 12 // bytes of a stream for finding its service, in any number of segments
	maxLiveKept   = 1 << 24 // bytes of all conversations, after which all are forgotten
	maxLive       = 1 << 14 // conversations, after which all are forgotten
)

// A follower recognizes services while frames arrive.
type follower struct {
	stack    capture.Stack
	services []Service
	sure     bool // the user has given the service
	options  formats.Options

	kept  int                    // bytes in conversations
	asked map[broadcast]*Session // requests that may be broadcasts
}

// NewLiveCommenter returns a Commenter for frames that arrive one by one. It explains a
// message from earlier ones. The arguments are the same as for [Explain].
func NewLiveCommenter(only string, o formats.Options) *Commenter {
	return &Commenter{
		conversations: make(map[Ends]*Conversation),
		pending:       make(map[int][]string),
		ours:          startOfOurs(),
		live: &follower{
			services: spoken(only), sure: only != "", options: o,
			asked: make(map[broadcast]*Session),
		},
	}
}

// hear adds s to its conversation, which it returns, and recognizes the service if it is
// unknown.
func (c *Commenter) hear(s capture.Sent) *Conversation {
	l := c.live
	if l.kept > maxLiveKept || len(c.conversations) > maxLive {
		clear(c.conversations)
		clear(l.asked)
		l.kept = 0
	}
	t := c.conversations[EndsOf(s)]
	if t == nil {
		t = new(Conversation)
		c.conversations[EndsOf(s)] = t
	}
	t.heard++
	l.kept -= t.size()
	switch {
	case t.heard > maxLiveTried && (!s.Stream || len(s.Data) > maxLiveStream):
		t.sent = nil
	case s.Stream: // from its start
		t.sent = slices.DeleteFunc(t.sent, func(old capture.Sent) bool { return old.From == s.From })
		fallthrough
	default:
		t.sent = append(t.sent, s)
	}
	l.kept += t.size()
	if t.Session == nil {
		l.recognize(t)
	}
	return t
}

// size returns the number of bytes that a conversation keeps.
func (t *Conversation) size() (n int) {
	for _, s := range t.sent {
		n += len(s.Data)
	}
	return n
}

// recognize finds the service of a conversation from the kept messages. The last of them is not
// read yet. It reports whether there is one.
func (l *follower) recognize(t *Conversation) bool {
	if len(t.sent) == 0 {
		return false
	}
	t.others = nil
	t.recognize(l.services, l.options, l.sure)
	first := t.sent[0]
	switch {
	case first.Stream:
	case t.Session == nil:
		t.Session = l.asked[broadcast{first.To, first.From.Port()}]
		return t.Session != nil
	case !t.isAnswered():
		l.asked[broadcast{first.From, first.To.Port()}] = t.Session
	}
	if t.Session == nil {
		return false
	}
	for _, s := range t.sent[:len(t.sent)-1] {
		t.Session.Read(s)
	}
	return true
}
