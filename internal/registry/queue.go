package registry

// A queue is a heap: the turn at p is not later than those at 4p+1 to 4p+4. With four
// children it is half as deep as with two.
type queue []turn

// A turn is when to examine an entry again, at its deadline or before.
type turn struct {
	at     int64
	number int32
}

const arity = 4

func (t *Table[K, V]) push(x turn) {
	t.queue = append(t.queue, x)
	t.up(len(t.queue) - 1)
}

// drop removes the turn at p.
func (t *Table[K, V]) drop(p int) {
	last := len(t.queue) - 1
	moved := t.queue[last]
	t.queue = t.queue[:last]
	if p == last {
		return
	}
	t.queue[p] = moved
	t.down(p)
	t.up(int(t.entries[moved.number].place))
}

// up moves the turn at p before those that are later.
func (t *Table[K, V]) up(p int) {
	x := t.queue[p]
	for p > 0 {
		parent := (p - 1) / arity
		if t.queue[parent].at <= x.at {
			break
		}
		t.put(p, t.queue[parent])
		p = parent
	}
	t.put(p, x)
}

// down moves the turn at p behind those that are earlier.
func (t *Table[K, V]) down(p int) {
	x := t.queue[p]
	for {
		first := arity*p + 1
		if first >= len(t.queue) {
			break
		}
		least := first
		for child := first + 1; child < min(first+arity, len(t.queue)); child++ {
			if t.queue[child].at < t.queue[least].at {
				least = child
			}
		}
		if t.queue[least].at >= x.at {
			break
		}
		t.put(p, t.queue[least])
		p = least
	}
	t.put(p, x)
}

// put sets the turn at p.
func (t *Table[K, V]) put(p int, x turn) {
	t.queue[p] = x
	t.entries[x.number].place = int32(p)
}
