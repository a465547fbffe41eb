package cluster

import "time"

// An outbox holds the entries of this node and the writes that are due. For each key,
// only the last value is written.
type outbox struct {
	items   map[string]*item
	due     []string // keys, each once, in order of arrival
	writing int
	live    int // number of items that are not being removed
	dropped uint64
	frozen  bool // nothing is removed any more
}

// An item is a key that this node writes.
type item struct {
	by         writer    // the writer that signs it
	body       []byte    // nil means that it is removed
	until      time.Time // when it expires unless it is put again
	written    time.Time // when the last write was acknowledged
	revision   uint64    // of the last write
	generation uint64    // generation of the watch that last showed it
	due        bool
	writing    bool
}

// dirty reports whether the item differs from the bucket.
func (i *item) dirty() bool { return i.due || i.writing }

// maxItems bounds the memory for pending writes. It exceeds the limits of the
// masters.
const maxItems = 300_000

// set changes the value of a key; nil removes it.
func (o *outbox) set(key string, by writer, body []byte, until time.Time) {
	i := o.items[key]
	if i == nil {
		if len(o.items) >= maxItems {
			o.dropped++
			return
		}
		i = new(item)
		o.items[key] = i
	}
	o.change(i, body)
	i.by, i.until = by, until
	o.enqueue(key, i)
}

func (o *outbox) change(i *item, body []byte) {
	if i.body != nil {
		o.live--
	}
	if body != nil {
		o.live++
	}
	i.body = body
}

func (o *outbox) enqueue(key string, i *item) {
	if !i.due {
		i.due = true
		o.due = append(o.due, key)
	}
}

// A write is a copy of an item that is being written.
type write struct {
	key  string
	by   writer
	body []byte
	item *item
}

// take takes the next n keys that are due.
func (o *outbox) take(n int) []write {
	n = min(n, len(o.due))
	all := make([]write, 0, n)
	for _, key := range o.due[:n] {
		i := o.items[key]
		i.due, i.writing = false, true
		all = append(all, write{key, i.by, i.body, i})
	}
	o.due = o.due[n:]
	o.writing = len(all)
	return all
}

// done records the result of a write.
func (o *outbox) done(w write, revision uint64, err error, now time.Time) {
	i := w.item
	i.writing = false
	o.writing--
	switch {
	case err != nil:
		o.enqueue(w.key, i)
	case w.body == nil && !i.due:
		delete(o.items, w.key)
	default:
		i.revision, i.written = revision, now
	}
}

// refresh makes items due that are older than age or have expired.
func (o *outbox) refresh(now time.Time, age time.Duration) {
	for key, i := range o.items {
		switch {
		case i.dirty():
		case now.After(i.until):
			o.change(i, nil)
			o.enqueue(key, i)
		case now.Sub(i.written) >= age:
			o.enqueue(key, i)
		}
	}
}

// yield records that another writer has written a key. It reports whether that value
// counts: it does not if this node has written the key since or is about to, unless
// that write is signed by the other writer.
func (o *outbox) yield(key string, by writer, revision uint64) bool {
	i := o.items[key]
	if i == nil || i.by == by {
		return true
	}
	if i.dirty() || i.revision > revision {
		return false
	}
	o.change(i, nil)
	delete(o.items, key)
	return true
}

// adopt takes over an item that another writer has written. The bucket has it
// already; this node refreshes it.
func (o *outbox) adopt(key string, i item) {
	switch have := o.items[key]; {
	case have != nil:
		have.generation = i.generation
	case len(o.items) < maxItems:
		o.items[key] = &i
		o.live++
	}
}
