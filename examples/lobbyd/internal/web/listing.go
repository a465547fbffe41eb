package web

import (
	"bytes"
	"compress/gzip"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/lobbywire/lobbywire/examples/lobbyd/internal/catalogue"
)

// freshness limits the age of the times in a list when nothing else changes.
const freshness = 30 * time.Second

// A listing is the JSON of a snapshot, encoded once for all clients.
type listing struct {
	choose func(*catalogue.Entry) bool

	mu     sync.Mutex // held while it is encoded, so that this happens once
	latest *encoded
}

// An encoded list is immutable.
type encoded struct {
	number  uint64 // version of the catalogue
	version string // version for the events that follow it
	tag     string // identifies exactly these bytes
	head    []byte // bytes before the rows
	rows    []row
	body    []byte

	zip    sync.Once
	zipped []byte
}

// A row is a server in a list.
type row struct {
	family     catalogue.Family
	game       string // folded
	folded     string // text that q searches
	start, end int    // of its JSON in the body
}

// get returns the list of a snapshot that is current or was so recently, or a later
// one. Encoding an earlier snapshot again could give other bytes with the same tag.
func (l *listing) get(boot string, snapshot *catalogue.Snapshot) *encoded {
	version := versionName(boot, snapshot.Version)
	tag := version + "-" + strconv.FormatInt(snapshot.Time.Truncate(freshness).Unix(), 36)
	l.mu.Lock()
	defer l.mu.Unlock()
	switch {
	case l.latest != nil && l.latest.number > snapshot.Version:
	case l.latest == nil || l.latest.tag != tag:
		l.latest = l.encode(version, tag, snapshot)
	}
	return l.latest
}

func versionName(boot string, version uint64) string {
	return boot + "-" + strconv.FormatUint(version, 10)
}

func (l *listing) encode(version, tag string, snapshot *catalogue.Snapshot) *encoded {
	list := &encoded{
		number: snapshot.Version, version: version, tag: tag,
		head: []byte(`{"version":"` + version + `","servers":[`),
		rows: make([]row, 0, len(snapshot.Entries)),
	}
	body := slices.Clone(list.head)
	ends := make([]int, 0, len(snapshot.Entries))
	for _, e := range snapshot.Entries {
		if l.choose(e) {
			if len(ends) > 0 {
				body = append(body, comma...)
			}
			s := serverOf(e)
			body = append(body, encode(s)...)
			list.rows = append(list.rows, row{family: e.Family, game: fold(s.Game), folded: s.fold()})
			ends = append(ends, len(body))
		}
	}
	list.body = append(body, tail...)
	start := len(list.head)
	for i, end := range ends {
		list.rows[i].start, list.rows[i].end = start, end
		start = end + len(comma)
	}
	return list
}

// fold returns all searched texts, lower-cased and separated.
func (s server) fold() string {
	return fold(strings.Join([]string{s.Name, s.Game, s.Map, s.Mode, s.Version, s.Address, s.Source, s.Node}, "\n"))
}

func fold(text string) string { return strings.ToLower(text) }

// Bytes between rows and after them.
var comma, tail = []byte(","), []byte("]}")

// with returns the JSON of some rows as parts of the body. All answers share these
// bytes, however slow their clients are.
func (l *encoded) with(choose func(row) bool) [][]byte {
	parts := [][]byte{l.head}
	start, end := 0, 0 // of adjacent rows in the body
	for _, r := range l.rows {
		switch {
		case !choose(r):
			continue
		case end == 0:
			start = r.start
		case r.start > end+len(comma):
			parts = append(parts, l.body[start:end])
			start = r.start - len(comma)
		}
		end = r.end
	}
	return slices.Clip(append(parts, l.body[start:end], tail))
}

// gzip returns the whole list, compressed on the first call.
func (l *encoded) gzip() []byte {
	l.zip.Do(func() {
		var b bytes.Buffer
		// Neither fails: the level is constant, and a Buffer accepts everything.
		w, _ := gzip.NewWriterLevel(&b, gzip.BestSpeed)
		w.Write(l.body)
		w.Close()
		l.zipped = b.Bytes()
	})
	return l.zipped
}
