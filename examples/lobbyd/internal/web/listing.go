package web

import (
	"bytes"
	"compress/gzip"
	"io"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/lobbywire/lobbywire/examples/lobbyd/internal/catalogue"
)

// freshness limits the age of a list when only times change. The times of the catalogue may be as
// old.
const freshness = 15 * time.Second

// A listing is the JSON of a snapshot. Each server is encoded once for all clients, and again
// only if it has changed.
type listing struct {
	mu     sync.Mutex // held while it is encoded, so that this happens once
	latest *encoded
}

// An encoded list is immutable, apart from its front, which is made on the first call.
type encoded struct {
	number  uint64     // version of the catalogue
	version string     // version for the events that follow it
	tag     string     // identifies exactly these rows
	all     *selection // with hidden servers
	listed  *selection

	front sync.Once
	whole front // of all listed games
}

// A row is a server in a list. Lists share it while it does not change.
type row struct {
	id       string
	revision uint64
	family   catalogue.Family
	isHidden bool
	players  int // -1 is unknown

	game   string // folded
	folded string // text that q searches
	json   []byte
}

// A body is the content of an answer, which is written as fast as the client reads it.
type body interface {
	io.WriterTo
	Len() int
}

// A selection is the body with some rows of a list.
type selection struct {
	head []byte // bytes before the rows
	rows []*row
	size int

	zip    sync.Once
	zipped []byte
}

// get returns the list of a current or recent snapshot, or of a later one. Encoding an
// earlier snapshot again could give other bytes with the same tag.
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
	var before []*row
	if l.latest != nil {
		before = l.latest.all.rows
	}
	head := []byte(`{"version":"` + version + `","servers":[`)
	list := &encoded{number: snapshot.Version, version: version, tag: tag}
	list.all = newSelection(head, rowsOf(snapshot.Entries, before))
	list.listed = list.all.with(func(r *row) bool { return !r.isHidden })
	return list
}

// rowsOf returns the rows of entries, given the rows before. Both are in the order of ID.
func rowsOf(entries []*catalogue.Entry, before []*row) []*row {
	rows := make([]*row, 0, len(entries))
	for _, e := range entries {
		for len(before) > 0 && before[0].id < e.ID {
			before = before[1:]
		}
		if len(before) > 0 && before[0].id == e.ID && before[0].revision == e.Revision {
			rows = append(rows, before[0])
			continue
		}
		s := serverOf(e)
		rows = append(rows, &row{
			id: e.ID, revision: e.Revision, family: e.Family, isHidden: e.Quarantine != "", players: e.Players,
			game: fold(s.Game), folded: s.fold(), json: encode(s),
		})
	}
	return rows
}

// fold returns all searched texts, lower-cased and separated.
func (s server) fold() string {
	return fold(strings.Join([]string{s.Name, s.Game, s.Map, s.Mode, s.Version, s.Address, s.Source, s.Node}, "\n"))
}

func fold(text string) string { return strings.ToLower(text) }

// Bytes between rows and after them.
var comma, tail = []byte(","), []byte("]}")

func newSelection(head []byte, rows []*row) *selection {
	s := &selection{head: head, rows: rows, size: len(head) + len(tail) + len(comma)*max(len(rows)-1, 0)}
	for _, r := range rows {
		s.size += len(r.json)
	}
	return s
}

// with returns the selection of some of the rows.
func (s *selection) with(choose func(*row) bool) *selection {
	var rows []*row
	for _, r := range s.rows {
		if choose(r) {
			rows = append(rows, r)
		}
	}
	return newSelection(s.head, slices.Clip(rows))
}

func (s *selection) Len() int { return s.size }

// WriteTo writes the JSON. All answers share the bytes of the rows, however slow their clients
// are.
func (s *selection) WriteTo(w io.Writer) (int64, error) {
	if _, err := w.Write(s.head); err != nil {
		return 0, err
	}
	for i, r := range s.rows {
		if i > 0 {
			if _, err := w.Write(comma); err != nil {
				return 0, err
			}
		}
		if _, err := w.Write(r.json); err != nil {
			return 0, err
		}
	}
	_, err := w.Write(tail)
	return int64(s.size), err
}

// gzip returns the JSON, compressed on the first call.
func (s *selection) gzip() []byte {
	s.zip.Do(func() {
		var b bytes.Buffer
		// Neither fails: the level is constant, and a Buffer accepts everything.
		w, _ := gzip.NewWriterLevel(&b, gzip.BestSpeed)
		s.WriteTo(w)
		w.Close()
		s.zipped = b.Bytes()
	})
	return s.zipped
}
