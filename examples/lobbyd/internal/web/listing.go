package web

import (
	"bytes"
	"compress/gzip"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/lobbywire/lobbywire/examples/lobbyd/internal/catalogue"
)

// freshness is how old the last news of a server in a list may be, when nothing
// else changes.
const freshness = 30 * time.Second

// A listing is the JSON of a snapshot, made once for all who ask for it.
type listing struct {
	choose func(*catalogue.Entry) bool

	mu     sync.Mutex // held while it is made, so that nobody makes it twice
	latest *encoded
}

// An encoded list. Nothing of it changes.
type encoded struct {
	version string // of the events that follow on it
	tag     string // of these bytes and no others
	rows    []row
	body    []byte

	zip    sync.Once
	zipped []byte
}

// A row is a server of a list.
type row struct {
	family catalogue.Family
	folded string // what q looks for
	json   []byte
}

// get returns the list of a snapshot that is current or was a moment ago.
func (l *listing) get(boot string, snapshot *catalogue.Snapshot) *encoded {
	version := versionName(boot, snapshot.Version)
	tag := version + "-" + strconv.FormatInt(snapshot.Time.Truncate(freshness).Unix(), 36)
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.latest == nil || l.latest.tag != tag {
		l.latest = l.encode(version, tag, snapshot.Entries)
	}
	return l.latest
}

func versionName(boot string, version uint64) string {
	return boot + "-" + strconv.FormatUint(version, 10)
}

func (l *listing) encode(version, tag string, entries []*catalogue.Entry) *encoded {
	list := &encoded{version: version, tag: tag, rows: make([]row, 0, len(entries))}
	for _, e := range entries {
		if l.choose(e) {
			s := serverOf(e)
			list.rows = append(list.rows, row{e.Family, s.fold(), encode(s)})
		}
	}
	list.body = list.with(func(row) bool { return true })
	return list
}

// fold returns all texts that are searched, in one case and apart from each other.
func (s server) fold() string {
	return fold(strings.Join([]string{s.Name, s.Map, s.Mode, s.Version, s.Address, s.Source, s.Node}, "\n"))
}

func fold(text string) string { return strings.ToLower(text) }

// with returns the JSON of some rows.
func (l *encoded) with(choose func(row) bool) []byte {
	b := []byte(`{"version":"` + l.version + `","servers":[`)
	first := true
	for _, r := range l.rows {
		if !choose(r) {
			continue
		}
		if !first {
			b = append(b, ',')
		}
		first = false
		b = append(b, r.json...)
	}
	return append(b, "]}"...)
}

// gzip returns the whole list, compressed when it is first asked for.
func (l *encoded) gzip() []byte {
	l.zip.Do(func() {
		var b bytes.Buffer
		// Neither fails: the level is a constant, and a Buffer takes all.
		w, _ := gzip.NewWriterLevel(&b, gzip.BestSpeed)
		w.Write(l.body)
		w.Close()
		l.zipped = b.Bytes()
	})
	return l.zipped
}
