package gamespy1

import (
	"bytes"
	"net/netip"
	"strings"

	"github.com/lobbywire/lobbywire/gameagent/internal/pairs"
	"github.com/lobbywire/lobbywire/internal/wire"
)

// A SyncList answers a [SyncRequest] with the servers of a master by their games. The
// master of 333networks sends only servers that have registered with it, not those from
// other masters.
//
//	\serioussamse\192.0.2.1:25601 192.0.2.2:25601\ut\192.0.2.3:7778\final\
//
//wire:message
type SyncList struct {
	Games []SyncGame
}

// A SyncGame lists the servers of a game in a [SyncList].
type SyncGame struct {
	GameName string
	Servers  []netip.AddrPort // addresses for queries
	Extra    []string         // texts that are not IPv4 addresses with a port
}

// minSyncServer is the size of the shortest server, with a separator.
const minSyncServer = len("1.2.3.4:5 ")

// syncSeparator separates the addresses of a game.
const syncSeparator = ' '

// decode accepts blanks around the addresses. It ignores bytes after the end of the
// list; with Options.Strict it refuses them. If a stream does not contain the end
// yet, the error is [lobbywire.ErrTruncated]. More than [MaxServers] servers, games
// or other texts are refused.
func (m *SyncList) decode(r *wire.Reader, o Options) {
	pairs.DecodeLiteral(r, `\`, "separator")
	m.Games = make([]SyncGame, 0, min(bytes.Count(r.Peek(), []byte{slash})/2, MaxServers))
	for n := 0; !r.Failed(); {
		r.In("", -1)
		key := r.TextBefore(slash, "gameName")
		if key == finalKey {
			decodeEnd(r, o)
			return
		}
		r.In("games", len(m.Games))
		at := r.Offset()
		g := SyncGame{GameName: key, Servers: []netip.AddrPort{}}
		g.set(r.TextBefore(slash, "servers"))
		if r.Failed() {
			return
		}
		n += 1 + len(g.Servers) + len(g.Extra)
		if n > MaxServers {
			r.Exceed("servers", at, n, MaxServers)
		}
		m.Games = append(m.Games, g)
	}
}

// set reads the servers from text.
func (g *SyncGame) set(text string) {
	if words := strings.Count(text, string(syncSeparator)); words > 0 {
		g.Servers = make([]netip.AddrPort, 0, min((len(text)+1)/minSyncServer, words+1))
	}
	for word := range strings.SplitSeq(text, string(syncSeparator)) {
		if a, ok := parseAddress(word); ok {
			g.Servers = append(g.Servers, a)
		} else if word != "" {
			g.Extra = append(pairs.Room(g.Extra, len(text)), word)
		}
	}
}

// append fails if an address is not IPv4, if a port is 0, if there are more than
// [MaxServers] games, servers and other texts, if a text contains a backslash or a
// zero byte, if a game is named "final", or if Extra holds a text that decoding does
// not put there.
func (m *SyncList) append(w *wire.Writer) {
	n := 0
	for i, g := range m.Games {
		w.In("games", i)
		n += 1 + len(g.Servers) + len(g.Extra)
		if n > MaxServers {
			w.Exceed("servers", n, MaxServers)
			return
		}
		if g.GameName == finalKey {
			w.Refuse("gameName", "reserved")
		}
		pairs.AppendTextAfter(w, slash, g.GameName, "gameName")
		g.append(w)
	}
	w.In("", -1)
	w.Text(endMark)
}

// append appends the servers after a backslash.
func (g *SyncGame) append(w *wire.Writer) {
	sep := byte(slash)
	for _, s := range g.Servers {
		w.Uint8(sep)
		appendAddress(w, s)
		sep = syncSeparator
	}
	for _, word := range g.Extra {
		if _, ok := parseAddress(word); ok || word == "" || strings.IndexByte(word, syncSeparator) >= 0 {
			w.Refuse("extra", "reserved")
		}
		pairs.RefuseIn(w, slash, word, "extra")
		w.TextAfter(sep, word)
		sep = syncSeparator
	}
	if sep == slash {
		w.Uint8(slash)
	}
}
