package cluster

import "time"

// An outbox is what the node is to write: all that it has put, with what of that
// is due. Of each key only the last is written.
type outbox struct {
	items   map[string]*item
	due     []string // keys, each once, first come first
	writing int
	live    int // items that are not to be removed
	dropped uint64
}

// An item is a key that the node writes to.
type item struct {
	by         writer    // as whom it is written
	body       []byte    // nil: to be removed
	until      time.Time // when it is to be removed unless it is put again
	written    time.Time // when that was last acknowledged
	revision   uint64    // of that
	generation uint64    // of the watch that has shown it last
	due        bool
	writing    bool
}

// dirty reports whether the bucket does not have the item as it is here.
func (i *item) dirty() bool { return i.due || i.writing }

// maxItems bounds the memory for what waits, above what the masters list.
const maxItems = 300_000

// set changes what a key is to hold, nil to be removed.
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

// A write is an item as it was when it was taken to be written.
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

// done tells that something was written, or was not.
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

// refresh makes due what is older than age, and what has to go.
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

// yield tells that another has written to a key. It reports whether that counts:
// what this node has written since, or is about to, comes after it, unless it
// is written as that other.
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

// adopt takes an item that another has written, and that is as in the bucket, to
// write it again from time to time.
func (o *outbox) adopt(key string, i item) {
	switch have := o.items[key]; {
	case have != nil:
		have.generation = i.generation
	case len(o.items) < maxItems:
		o.items[key] = &i
		o.live++
	}
}
