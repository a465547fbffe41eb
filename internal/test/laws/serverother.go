package laws

import (
	"bytes"
	"net"
	"net/netip"
	"testing"
	"time"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/internal/test/nettest"
)

// foreign are datagrams of no protocol of ours.
var foreign = [][]byte{
	{},
	{0xff},
	[]byte("\xff\xff\xff\xffTSource Engine Query\x00"),
	bytes.Repeat([]byte{0xaa}, 2000), // longer than any request
}

// A loop that gets the datagrams of several protocols learns which datagrams the server
// has handled, also if they have no answer, and Stats counts them.
func (l Server[S]) knowsItsProtocol(t *testing.T) {
	s := l.New(t)
	l.Limit(s, 1, unlimited)
	want := lobbywire.ServerStats{}
	for i, is := range []string{"within the limit", "over the limit"} {
		answers, ok := s.Respond(stranger, l.Request, nil)
		if !ok || len(answers) != 1-i {
			t.Errorf("a request %s: %d answers, %v", is, len(answers), ok)
		}
	}
	want.Received, want.Sent, want.Limited = 2, 1, 1
	for _, b := range foreign {
		if answers, ok := s.Respond(asker, b, nil); ok || len(answers) > 0 {
			t.Errorf("%.40q: answers %q, %v", b, answers, ok)
		}
		want.Received++
		want.Unknown++
	}
	if got := s.Stats(); got != want {
		t.Errorf("counts %+v, want %+v", got, want)
	}
	s = l.New(t)
	l.Limit(s, unlimited, unlimited)
	for _, b := range l.Requests(t, s, asker) {
		if _, ok := s.Respond(asker, b, nil); !ok {
			t.Errorf("%q is not of its protocol", b)
		}
	}
}

// Other gets what the server does not know, and its answers are sent.
func (l Server[S]) sharesTheSocket(t *testing.T) {
	bubble(t, func(t *testing.T, n *nettest.Network) {
		s := l.New(t)
		l.Other(s, func(_ netip.Addr, from netip.AddrPort, req []byte, dst [][]byte) ([][]byte, bool) {
			if from.Addr() != asker.Addr() || len(req) < 2 {
				return dst, false
			}
			return append(dst, append([]byte("of the game: "), req...)), true
		})
		ended := serve(t, n, home, s)
		client, err := n.Listen(asker)
		if err != nil {
			t.Fatal(err)
		}
		defer client.Close()
		buf := make([]byte, 4096)
		for _, b := range append([][]byte{l.Request}, foreign...) {
			if _, err := client.WriteTo(b, net.UDPAddrFromAddrPort(home)); err != nil {
				t.Fatal(err)
			}
			client.SetReadDeadline(time.Now().Add(time.Second))
			n, _, err := client.ReadFrom(buf)
			game := bytes.HasPrefix(buf[:n], []byte("of the game: ")) && bytes.HasSuffix(buf[:n], b)
			switch {
			case len(b) < 2 && !bytes.Equal(b, l.Request):
				if err == nil {
					t.Errorf("%q is answered: %q", b, buf[:n])
				}
			case err != nil:
				t.Errorf("%.40q: %v", b, err)
			case game == bytes.Equal(b, l.Request):
				t.Errorf("%.40q is answered by the wrong one: %.40q", b, buf[:n])
			}
		}
		if st := s.Stats(); st.Unknown != 2 {
			t.Errorf("%d unknown datagrams, want 2", st.Unknown)
		}
		s.Close()
		<-ended
	})
}
