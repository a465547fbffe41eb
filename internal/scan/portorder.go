package scan

import "math/rand/v2"

const (
	// minPorts is the least number of sockets of a scan of many targets. A flight
	// uses one for each attempt and one for each NextPort.
	minPorts = 16

	// portTargets is how many consecutive targets use the same sockets. Fewer
	// would share a system call. The first use fewer, so that small scans use many
	// ports too.
	portTargets = 16
)

// A portOrder chooses the first port of each target. It takes all ports in turn, in a
// random order, so that n targets use n ports, until there are no more.
type portOrder struct {
	ports []int // indices, in order
	at    int   // index of the port of the current group

	targets int // of this group, so far
	groups  int
}

// next returns the index of the first port of the next target.
func (o *portOrder) next() int {
	if o.targets == o.groupSize() {
		o.targets = 0
		o.groups++
		o.at++
	}
	if o.at == len(o.ports) {
		o.at = 0
		rand.Shuffle(len(o.ports), func(i, j int) { o.ports[i], o.ports[j] = o.ports[j], o.ports[i] })
	}
	o.targets++
	return o.ports[o.at]
}

// groupSize returns how many consecutive targets use one port: 1 in the first turn, and
// four times as many in each of the next, up to portTargets.
func (o *portOrder) groupSize() int {
	return min(1<<min(2*(o.groups/len(o.ports)), 8), portTargets)
}
