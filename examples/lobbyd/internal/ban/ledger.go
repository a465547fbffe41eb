package ban

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/lobbywire/lobbywire/examples/internal/files"
)

// A Ledger keeps the bans and marks that operators give while lobbyd runs. They survive
// restarts, end by themselves if they have an end, and are the same on all nodes of a cluster.
// The zero value is ready, and has no file.
type Ledger struct {
	mu      sync.Mutex
	path    string
	records map[string]Record // by ID
}

// maxRecords limits a Ledger.
const maxRecords = 10_000

// maxFile limits the size of a file. One of maxRecords has less.
const maxFile = 32 << 20

// ErrFull means that there are too many bans.
var ErrFull = fmt.Errorf("there are %d bans and ended bans already", maxRecords)

// format is the first member of a file.
const format = "lobbyd bans 1"

// A file is the content of the file of a Ledger.
type file struct {
	Format  string   `json:"format"`
	Records []Record `json:"records"`
}

// Load reads the records of a file, in which changes are saved from now on. A file that
// cannot be read is set aside, and an error returned, with where the file is kept unless that
// failed; the Ledger is empty then.
func (l *Ledger) Load(path string) (kept string, err error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.path, l.records = path, make(map[string]Record)
	b, err := files.ReadRegular(path, maxFile)
	if errors.Is(err, fs.ErrNotExist) {
		return "", nil
	}
	var f file
	if err == nil {
		err = json.Unmarshal(b, &f)
	}
	if err == nil && f.Format != format {
		err = fmt.Errorf("%s has another format", path)
	}
	if err != nil {
		kept, failed := files.SetAside(path)
		return kept, errors.Join(err, failed)
	}
	for _, r := range f.Records {
		if r, err := r.Check(); err == nil {
			l.mergeLocked(r, time.Now())
		}
	}
	return "", nil
}

// Merge adds a record, unless there is a later one. It reports whether the record is new. If
// it cannot be saved, it counts until a restart, and the error says so.
func (l *Ledger) Merge(r Record) (isNew bool, err error) {
	r, err = r.Check()
	if err != nil {
		return false, err
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	isNew, err = l.mergeLocked(r, time.Now())
	if !isNew || err != nil || l.path == "" {
		return isNew, err
	}
	const mode = 0o600
	b, err := json.MarshalIndent(file{format, l.sortedLocked()}, "", "\t")
	if err == nil {
		err = files.Write(l.path, append(b, '\n'), mode)
	}
	if err != nil {
		return true, fmt.Errorf("in force, but not saved: %w", err)
	}
	return true, nil
}

func (l *Ledger) mergeLocked(r Record, now time.Time) (isNew bool, err error) {
	if l.records == nil {
		l.records = make(map[string]Record)
	}
	id := r.ID()
	old, found := l.records[id]
	if found && !r.At.After(old.At) || r.isForgotten(now) {
		return false, nil
	}
	if !found && len(l.records) >= maxRecords {
		maps.DeleteFunc(l.records, func(_ string, r Record) bool { return r.isForgotten(now) })
		if len(l.records) >= maxRecords {
			return false, ErrFull
		}
	}
	l.records[id] = r
	return true, nil
}

// sortedLocked returns all records by time.
func (l *Ledger) sortedLocked() []Record {
	return slices.SortedFunc(maps.Values(l.records), func(a, b Record) int {
		if order := a.At.Compare(b.At); order != 0 {
			return order
		}
		return strings.Compare(a.ID(), b.ID())
	})
}

// All returns all records by time, ended ones too.
func (l *Ledger) All() []Record {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.sortedLocked()
}

// Find returns the record with an ID.
func (l *Ledger) Find(id string) (r Record, found bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	r, found = l.records[id]
	return r, found
}

// Active returns the bans that hold, by time, and when the first of them ends, or the zero
// time.
func (l *Ledger) Active(now time.Time) (all []Record, next time.Time) {
	for _, r := range l.All() {
		if !r.isActive(now) {
			continue
		}
		all = append(all, r)
		if !r.Until.IsZero() && (next.IsZero() || r.Until.Before(next)) {
			next = r.Until
		}
	}
	return all, next
}
