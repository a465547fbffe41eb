package ban

import (
	"bytes"
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
	"github.com/lobbywire/lobbywire/internal/registry"
)

// A Ledger keeps the bans and marks that operators give while lobbyd runs. They survive
// restarts, end by themselves if they have an end, and are the same on all nodes of a cluster.
// Bans of a later version that this one would refuse are kept too, but are not in force. The
// zero value is ready, and has no file.
type Ledger struct {
	mu      sync.Mutex
	path    string
	unsaved bool              // the file lacks a change
	records map[string]Record // by ID
	extra   map[string]json.RawMessage
}

// maxRecords limits a Ledger, and maxRecord the size of a record in JSON.
const (
	maxRecords = 10_000
	maxRecord  = 5 << 10
)

// maxFile limits the size of a file, whose records are indented.
const maxFile = maxRecords * 2 * maxRecord

// ErrFull means that there are too many bans.
var ErrFull = fmt.Errorf("there are %d bans and ended bans already", maxRecords)

// ErrNotSaved means that a change is in force, but not in the file.
var ErrNotSaved = errors.New("in force, but not saved; lobbyd tries again")

// format is the first member of a file.
const format = "lobbyd bans 1"

// A file is the content of the file of a Ledger.
type file struct {
	Format  string   `json:"format"`
	Records []Record `json:"records"`
}

// Load reads the records of a file, and saves changes there from now on. If the file cannot
// be read, the Ledger is empty, and Load sets the file aside and returns an error and the
// path of the kept file, "" if keeping it failed.
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
		l.extra, err = registry.ParseForm(b, "ban", &f)
	}
	if err == nil && f.Format != format {
		err = fmt.Errorf("%s has another format", path)
	}
	if err != nil {
		kept, failed := files.SetAside(path)
		return kept, errors.Join(err, failed)
	}
	for _, r := range f.Records {
		l.mergeLocked(r, time.Now())
	}
	return "", nil
}

// Merge adds a record, unless there is a later one. It reports whether the record is new. The
// error is ErrNotSaved if it cannot be saved; Save tries again.
func (l *Ledger) Merge(r Record) (isNew bool, err error) {
	if b, err := json.Marshal(r); err != nil || len(b) > maxRecord {
		return false, fmt.Errorf("a ban has more than %d bytes", maxRecord)
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	isNew, err = l.mergeLocked(r, time.Now())
	if isNew {
		l.unsaved = l.path != ""
		err = l.saveLocked()
	}
	return isNew, err
}

// Save saves what could not be saved before.
func (l *Ledger) Save() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.saveLocked()
}

func (l *Ledger) saveLocked() error {
	if !l.unsaved {
		return nil
	}
	const mode = 0o600
	b, err := registry.AppendForm(nil, "ban", &file{format, l.sortedLocked()}, l.extra)
	var text bytes.Buffer
	if err == nil {
		err = json.Indent(&text, b, "", "\t")
	}
	if err == nil {
		text.WriteByte('\n')
		err = files.Write(l.path, text.Bytes(), mode)
	}
	if err != nil {
		return fmt.Errorf("%w: %w", ErrNotSaved, err)
	}
	l.unsaved = false
	return nil
}

func (l *Ledger) mergeLocked(r Record, now time.Time) (isNew bool, err error) {
	if checked, err := r.Check(); err == nil {
		r = checked
	}
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
		if _, err := r.Check(); err != nil || !r.isActive(now) {
			continue
		}
		all = append(all, r)
		if !r.Until.IsZero() && (next.IsZero() || r.Until.Before(next)) {
			next = r.Until
		}
	}
	return all, next
}
