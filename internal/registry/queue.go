package registry

// A queue holds numbers by time, the earliest first. It is a heap: the turn at p is not
// later than the turns at 4p+1 to 4p+4. With four children it is half as deep as with two.
type queue struct {
	turns  []turn
	places []int32 // in turns, by number; -1 if it is not there
}

// A turn is the time to examine an entry again, at its deadline or before.
type turn struct {
	at     int64
	number int32
}

const arity = 4

// has reports whether a number is in the queue.
func (q *queue) has(number int) bool { return q.places[number] >= 0 }

// at returns the time of a number.
func (q *queue) at(number int) int64 { return q.turns[q.places[number]].at }

// push adds a number, which is at most one more than the largest so far.
func (q *queue) push(number int32, at int64) {
	if int(number) == len(q.places) {
		q.places = append(q.places, 0)
	}
	q.turns = append(q.turns, turn{at, number})
	q.up(len(q.turns) - 1)
}

// advance makes the time of a number earlier.
func (q *queue) advance(number int, at int64) {
	p := int(q.places[number])
	q.turns[p].at = at
	q.up(p)
}

// delay makes the first time later.
func (q *queue) delay(at int64) {
	q.turns[0].at = at
	q.down(0)
}

// remove removes a number.
func (q *queue) remove(number int) {
	p := int(q.places[number])
	q.places[number] = -1
	last := len(q.turns) - 1
	moved := q.turns[last]
	q.turns = q.turns[:last]
	if p == last {
		return
	}
	q.turns[p] = moved
	q.down(p)
	q.up(int(q.places[moved.number]))
}

// up moves the turn at p before later ones.
func (q *queue) up(p int) {
	x := q.turns[p]
	for p > 0 {
		parent := (p - 1) / arity
		if q.turns[parent].at <= x.at {
			break
		}
		q.put(p, q.turns[parent])
		p = parent
	}
	q.put(p, x)
}

// down moves the turn at p behind earlier ones.
func (q *queue) down(p int) {
	x := q.turns[p]
	for {
		first := arity*p + 1
		if first >= len(q.turns) {
			break
		}
		least := first
		for child := first + 1; child < min(first+arity, len(q.turns)); child++ {
			if q.turns[child].at < q.turns[least].at {
				least = child
			}
		}
		if q.turns[least].at >= x.at {
			break
		}
		q.put(p, q.turns[least])
		p = least
	}
	q.put(p, x)
}

// put sets the turn at p.
func (q *queue) put(p int, x turn) {
	q.turns[p] = x
	q.places[x.number] = int32(p)
}
