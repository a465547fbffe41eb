package scan

import (
	"math"
	"time"
)

const (
	// A server keeps its place at least for minHold, at most until Timeout, and for usualHold
	// before the first round trip.
	minHold   = 5 * time.Millisecond
	usualHold = 100 * time.Millisecond

	// minWindow and usualWindow bound how many servers are expected to answer at one
	// time while nothing comes back. 256 allow 2560 requests a second if servers keep
	// their places for 100 ms. Up to twice as many are allowed if they keep them longer.
	minWindow   = 64
	usualWindow = 256

	// maxRate is how many requests a second open the window further, without a Rate.
	// Near servers reach it with the usual window: a larger one would only make answers
	// queue up.
	maxRate = 1 << 15

	// In a slow start beyond the usual size, the window grows by the fraction slowStart in
	// each round trip; later it grows by additive. Doubling it, as TCP does, would overload
	// a narrow link for longer, because that is known only after two round trips.
	slowStart = 0.5
	additive  = 1.0

	// minSample is the minimum number of requests for judging loss. usualLoss is the share
	// that servers and networks may lose without congestion. A loss of half or more always
	// counts as congestion.
	minSample = 64
	usualLoss = 1.0 / 16
	maxLoss   = 1.0 / 2
)

// A window is the number of servers that are expected to answer at one time. It behaves
// like the congestion window of TCP (RFC 5681): answers multiply it with each round trip in
// a slow start, later they add to it, and loss halves it.
//
// Most targets of a scan may be dead, so silence does not count as loss. A request counts
// as lost when the server answers a later one, which shows that it is alive. That takes as
// long as a timeout, so the slow start also ends when a larger window brings no more
// answers. Silence does not open the window beyond the usual size either, unless the caller
// has set a rate that needs more.
//
// Some networks lose requests whatever their rate. If halving the window does not reduce
// the loss, only greater loss halves it again.
type window struct {
	size      float64
	silent    float64 // limit for silence, if the hold is usual
	buffered  float64 // limit of the receive buffers for answers
	rate      float64 // limit of the size, in servers a second
	threshold float64 // the slow start ends at this size

	timeout time.Duration // after which requests are lost
	hold    time.Duration // how long servers keep their places
	used    bool          // the window, not the targets or the pace, limits the scan

	shrunk      time.Time // what happens to earlier requests says nothing about this size
	known, lost int       // requests since then, or since loss was judged last
	loss        float64   // share that is lost whatever the size
	before      float64   // loss of twice the size, if that has halved the window, or 0

	// Of the slow start beyond the usual size.
	round     time.Time // start of this round trip
	roundSize float64   // size then
	answers   int       // in this round trip
	best      float64   // answers a second in the best round trip
	bestSize  float64   // at its start, which has brought them
	stalled   int       // round trips since
}

// newWindow returns a window for sockets that each buffer a number of answers. rate is the
// caller's rate, or 0.
func newWindow(buffered, rate int, timeout time.Duration) window {
	w := window{
		size:      minWindow,
		silent:    float64(min(max(buffered, minWindow), usualWindow)),
		buffered:  float64(buffered * minPorts),
		rate:      maxRate,
		threshold: math.Inf(1),
		timeout:   timeout,
	}
	if rate > 0 {
		w.rate = float64(rate)
		w.silent = max(w.silent, min(w.rate*usualHold.Seconds(), w.buffered/2))
	}
	return w
}

// usual returns the largest size without answers.
func (w *window) usual() float64 {
	return w.silent * min(max(w.hold.Seconds()/usualHold.Seconds(), 1), 2)
}

// limit returns the largest size.
func (w *window) limit() float64 {
	return max(w.usual(), min(w.rate*w.hold.Seconds(), w.buffered))
}

// silence handles a server that has not answered in the time that nearly every answer
// takes.
func (w *window) silence() { w.grow(w.usual()) }

// answer handles an answer.
func (w *window) answer(at time.Time) {
	if w.used || w.size < w.usual() {
		w.grow(w.limit())
	}
	if w.usual() < w.size && w.size < w.threshold {
		w.count(at)
	}
}

func (w *window) grow(limit float64) {
	growth := 1.0
	switch {
	case w.size >= w.threshold:
		growth = additive / w.size
	case w.size >= w.usual():
		growth = slowStart
	}
	if w.size < limit {
		w.size = min(w.size+growth, limit)
	}
}

// count counts the answers of each round trip of the slow start, and ends it when two with a
// much larger window bring not many more than the best before.
func (w *window) count(at time.Time) {
	w.answers++
	took := at.Sub(w.round)
	if took < w.hold {
		return
	}
	rate := float64(w.answers) / took.Seconds()
	switch {
	case w.round.IsZero():
	case rate > w.best*5/4:
		w.best, w.bestSize, w.stalled = rate, w.roundSize, 0
	case w.used && w.roundSize > w.bestSize*3/2:
		w.stalled++
	}
	w.round, w.roundSize, w.answers = at, w.size, 0
	if w.stalled == 2 {
		w.shrink(at, max(w.bestSize, w.usual()))
	}
}

// judge notes whether a request to a live server was lost, and halves the window if too
// many were. It ignores requests that were sent before the window has shrunk, and starts
// when later ones can be known to be lost, because answers are known earlier.
func (w *window) judge(sent time.Time, lost bool, now time.Time) {
	if sent.Before(w.shrunk) || now.Sub(w.shrunk) < w.timeout+w.hold {
		return
	}
	w.known++
	if lost {
		w.lost++
	}
	if w.known < max(minSample, int(w.size)) {
		return
	}
	loss, before := float64(w.lost)/float64(w.known), w.before
	w.known, w.lost, w.before = 0, 0, 0
	switch {
	case before > 0 && before*3/4 < loss && loss < maxLoss:
		w.loss = loss
	case loss <= w.loss+usualLoss:
		w.loss = min(w.loss, (7*w.loss+loss)/8) // one sample may be low by chance
	default:
		w.before = loss
		w.halve(now)
	}
}

// drop handles answers that this machine has dropped, once in a round trip.
func (w *window) drop(now time.Time) {
	if now.Sub(w.shrunk) >= w.hold {
		w.halve(now)
	}
}

func (w *window) halve(now time.Time) { w.shrink(now, max(w.size/2, minWindow)) }

func (w *window) shrink(now time.Time, size float64) {
	w.size, w.threshold = size, size
	w.shrunk, w.known, w.lost = now, 0, 0
}
