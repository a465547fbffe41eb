package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/netip"
	"sync"
	"sync/atomic"
	"time"

	"github.com/lobbywire/lobbywire/examples/internal/bench"
	"github.com/lobbywire/lobbywire/warzone"
)

// A loadJob is a job of the load. Exactly one field is set.
type loadJob struct {
	Register *registerJob `json:",omitempty"`
	List     *listJob     `json:",omitempty"`
	Update   *updateJob   `json:",omitempty"`
	Keep     bool         `json:",omitempty"`
}

// A loadResult is the result of a loadJob.
type loadResult struct {
	Done   int // hosts registered or updated, or lists fetched
	Failed int // hosts or lists that failed
	Reply  []byte
}

// loadChild runs one job after another. Hosts stay connected until it exits.
func loadChild(in *json.Decoder, out *json.Encoder) error {
	var h hosts
	defer h.close()
	return bench.AnswerEach(in, out, func(job loadJob) (loadResult, error) {
		switch {
		case job.Register != nil:
			return h.register(*job.Register)
		case job.List != nil:
			return job.List.run(&h)
		case job.Update != nil:
			return h.updateAll(*job.Update)
		default:
			return h.keep()
		}
	})
}

// perAddress is the number of connections from one address.
const perAddress = 100

// dialFrom connects from address n of 127.0.0.2 to 127.0.0.251.
func dialFrom(n int, to netip.AddrPort) (net.Conn, error) {
	local := netip.AddrFrom4([4]byte{127, 0, 0, byte(2 + n%250)})
	d := net.Dialer{LocalAddr: net.TCPAddrFromAddrPort(netip.AddrPortFrom(local, 0)), Timeout: patience}
	c, err := d.Dial("tcp4", to.String())
	if err != nil {
		return nil, err
	}
	return c, c.SetDeadline(time.Now().Add(patience))
}

// patience is the time limit for an answer, and for a list while many clients
// compete.
const patience = 30 * time.Second

// A listJob fetches a list repeatedly.
type listJob struct {
	Server  netip.AddrPort
	Clients int
	For     time.Duration // 0 fetches one list, which the result contains
	Updates int           // updates of hosts per second
}

func (j *listJob) run(h *hosts) (loadResult, error) {
	if j.For == 0 {
		reply, err := fetch(0, j.Server, nil)
		return loadResult{Done: 1, Reply: reply}, err
	}
	end := time.Now().Add(j.For)
	var lists, failed atomic.Int64
	var workers sync.WaitGroup
	if j.Updates > 0 {
		workers.Go(func() { failed.Add(int64(h.keepUpdating(j.Updates, end))) })
	}
	for i := range j.Clients {
		workers.Go(func() {
			var buffer []byte
			for time.Now().Before(end) {
				var err error
				buffer, err = fetch(i, j.Server, buffer[:0])
				if err != nil {
					failed.Add(1)
					continue
				}
				lists.Add(1)
			}
		})
	}
	workers.Wait()
	return loadResult{Done: int(lists.Load()), Failed: int(failed.Load())}, nil
}

// fetch appends the list of a lobby to b.
func fetch(n int, lobby netip.AddrPort, b []byte) ([]byte, error) {
	c, err := dialFrom(n, lobby)
	if err != nil {
		return b, err
	}
	defer c.Close()
	request, err := warzone.ListRequest{}.AppendBinary(nil)
	if err != nil {
		return b, err
	}
	if _, err := c.Write(request); err != nil {
		return b, err
	}
	for {
		if len(b) == cap(b) {
			b = append(b, make([]byte, 64<<10)...)[:len(b)]
		}
		n, err := c.Read(b[len(b):cap(b)])
		b = b[:len(b)+n]
		if errors.Is(err, io.EOF) {
			return b, whole(b)
		}
		if err != nil {
			return b, err
		}
	}
}

// whole reports whether a reply is complete. It does not look at the games.
func whole(b []byte) error {
	end, whole, err := listOptions.ListReplyEnd(b)
	switch {
	case err != nil:
		return err
	case !whole || end != len(b):
		return fmt.Errorf("the list ends at byte %d of %d", end, len(b))
	}
	return nil
}
