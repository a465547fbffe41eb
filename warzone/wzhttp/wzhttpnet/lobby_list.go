package wzhttpnet

import (
	"bytes"
	"cmp"
	"compress/gzip"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/lobbywire/lobbywire/warzone"
	"github.com/lobbywire/lobbywire/warzone/internal/gamelist"
	"github.com/lobbywire/lobbywire/warzone/warzonegames"
	"github.com/lobbywire/lobbywire/warzone/wzhttp"
)

// lines holds the lines of the list of a Lobby. A change encodes one line, and the next
// request joins all lines, so that the list is sent in one piece. Lists are immutable. The
// mutex of the Games guards pace.
type lines struct {
	gamelist.Rows[warzonegames.Entry, line]
	max        int // games in a list
	pace       listPace
	compressed compressedList
}

// serve sends the list after the line of its header, and reports whether it was sent.
func (v *lines) serve(w http.ResponseWriter, r *http.Request, header []byte) (sent bool) {
	list := v.List()
	h := w.Header()
	h.Set("Content-Type", wzhttp.AcceptList)
	h.Set("Cache-Control", "no-cache")
	h.Set("Vary", "Accept-Encoding")
	if len(list) >= minCompressed && acceptsGzip(r.Header) {
		h.Set("Content-Encoding", "gzip")
		header, list = nil, v.compressed.of(header, list)
	}
	h.Set("Content-Length", strconv.Itoa(len(header)+len(list)))
	w.WriteHeader(http.StatusOK)
	if r.Method == http.MethodHead {
		return false
	}
	if _, err := w.Write(header); err != nil {
		return false
	}
	_, err := w.Write(list)
	return err == nil
}

// A greeting is the message of the day, and the first line of lists with it.
type greeting struct {
	text string
	line []byte
}

func newGreeting(text string) (*greeting, error) {
	line, err := wzhttp.AppendLine(nil, wzhttp.ListHeader{MOTD: text})
	if err != nil {
		return nil, err
	}
	return &greeting{text, line}, nil
}

// A line is a line of the list. Clients show only the first 200 games, and can join only
// games of their own version, so the games of hosts since 4.7 come first.
type line struct {
	line  []byte
	first bool
}

func newLines(games *warzonegames.Games) *lines {
	v := &lines{max: cmp.Or(max(games.MaxListed, 0), warzone.MaxGames)}
	v.Rows = gamelist.Rows[warzonegames.Entry, line]{Games: games.ForLobbies(), Row: newLine, Join: v.join}
	return v
}

func newLine(e *warzonegames.Entry) (line, bool) {
	if e.Started {
		return line{}, false
	}
	b := lineOf(e)
	return line{b, e.Source == warzonegames.SourceHTTP}, b != nil
}

// lineOf returns the line of a game in the list, or nothing if the game cannot be listed.
func lineOf(e *warzonegames.Entry) []byte {
	g := wzhttp.Game{ID: gameIDOf(e.ID), Room: roomOf(e)}
	for _, a := range listedAt(e) {
		g.Connections = append(g.Connections, kindOf(a))
	}
	b, _ := wzhttp.AppendLine(nil, g)
	return b
}

// join returns the list without its header, or nil if making it would take too much of the
// time.
func (v *lines) join(rows []line) (list []byte) {
	v.pace.run(func() { list = joinLines(rows, v.max) })
	return list
}

// joinLines returns a list of at most limit games. The lines of all rows become slices of
// it.
func joinLines(rows []line, limit int) []byte {
	size := 0
	for _, r := range rows {
		size += len(r.line)
	}
	all, end := make([]byte, 0, size), 0
	for _, first := range []bool{true, false} {
		for i := range rows {
			r := &rows[i]
			if r.first != first {
				continue
			}
			start := len(all)
			all = append(all, r.line...)
			r.line = all[start:len(all):len(all)]
			limit--
			if limit >= 0 {
				end = len(all)
			}
		}
	}
	return all[:end:end]
}

// joinShare is the inverse of the fraction of time that making a list may take.
const joinShare = 10

// A listPace limits the time spent on making lists. Joining 10 000 lines takes about a
// millisecond, and compressing them takes longer, and there may be a change before each
// request. A list may therefore be reused after a change, for example for ten milliseconds.
type listPace struct {
	made time.Time
	took time.Duration
}

// run calls f, unless that would take more than a tenth of the time.
func (p *listPace) run(f func()) {
	start := time.Now()
	if start.Sub(p.made) >= (joinShare-1)*p.took {
		f()
		p.made = time.Now()
		p.took = p.made.Sub(start)
	}
}

// minCompressed is the size of the shortest list that is compressed, in bytes. Shorter
// lists fit one packet.
const minCompressed = 1 << 10

// acceptsGzip reports whether a request accepts gzip in its answer.
func acceptsGzip(h http.Header) bool {
	for accepted := range strings.SplitSeq(strings.Join(h.Values("Accept-Encoding"), ","), ",") {
		coding, parameter, _ := strings.Cut(accepted, ";")
		if strings.EqualFold(strings.TrimSpace(coding), "gzip") {
			weight, weighted := strings.CutPrefix(strings.ReplaceAll(parameter, " ", ""), "q=")
			return !weighted || strings.Trim(weight, "0.") != ""
		}
	}
	return false
}

// A compressedList is the list compressed with gzip, to a fifth of its size. It has a pace
// of its own, so it may be older than the other list.
type compressedList struct {
	mu           sync.Mutex
	header, list []byte // the uncompressed list
	writer       *gzip.Writer
	body         []byte // immutable
	pace         listPace
}

// of returns the compressed form of a list with its header, or of an earlier
// one.
func (c *compressedList) of(header, list []byte) []byte {
	c.mu.Lock()
	defer c.mu.Unlock()
	if !isSlice(c.header, header) || !isSlice(c.list, list) {
		c.pace.run(func() {
			var b bytes.Buffer
			if c.writer == nil {
				// A better compression saves 5 % and takes twice as long.
				c.writer, _ = gzip.NewWriterLevel(nil, gzip.BestSpeed) // cannot fail
			}
			c.writer.Reset(&b)
			c.writer.Write(header) // to memory, so it cannot fail
			c.writer.Write(list)
			c.writer.Close()
			c.header, c.list, c.body = header, list, b.Bytes()
		})
	}
	return c.body
}

// isSlice reports whether two slices are the same memory.
func isSlice(a, b []byte) bool { return len(a) == len(b) && (len(a) == 0 || &a[0] == &b[0]) }
