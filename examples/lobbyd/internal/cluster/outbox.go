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
	until      time.Time // when it expires unless it is put again; of a removal, when the bucket has expired it
	written    time.Time // when the last write was acknowledged
	revision   uint64    // of the last write
	generation uint64    // generation of the watch that last showed it
	news       bool      // it has been set since the last acknowledged write
	due        bool
	writing    bool
}

// dirty reports whether the item differs from the bucket.
func (i *item) dirty() bool { return i.due || i.writing }

// isNews reports whether the item must be written even if other writers have written its key.
// The repetition of an entry is not news, nor is an expired item.
func (i *item) isNews(now time.Time) bool { return i.news && !now.After(i.until) }

// maxItems bounds the memory for pending writes. It exceeds the limits of the
// masters.
const maxItems = 300_000

// set changes the value of a key; nil removes it. It is news until the given time.
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
	i.by, i.until, i.news = by, until, true
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

// take takes the next n keys that are due. Unless the node knows all writes of other
// writers, items that are not news wait for refresh, because another writer may own the key
// by then.
func (o *outbox) take(n int, now time.Time, knowsAll bool) []write {
	all := make([]write, 0, min(n, len(o.due)))
	taken := 0
	for _, key := range o.due {
		if len(all) == n {
			break
		}
		taken++
		i := o.items[key]
		if i == nil || !i.due {
			continue // it was given up since
		}
		i.due = false
		switch {
		case knowsAll || i.isNews(now):
			i.writing = true
			all = append(all, write{key, i.by, i.body, i})
		case i.body == nil:
			delete(o.items, key)
		}
	}
	o.due = o.due[taken:]
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
		i.revision, i.written, i.news = revision, now, i.news && i.due
	}
}

// refresh makes items due that are older than age or have expired. It must not be called unless
// the node knows all writes of other writers.
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

// yield records that another writer has written a key. It reports whether that value counts.
// It does not if this node has news for the key, is writing it or has written it since, unless
// that write is signed by the other writer.
func (o *outbox) yield(key string, by writer, revision uint64, now time.Time) bool {
	i := o.items[key]
	if i == nil || i.by == by {
		return true
	}
	if i.isNews(now) || i.writing || i.revision > revision {
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
