package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"net"
	"time"

	"github.com/lobbywire/lobbywire/examples/internal/bench"
	"github.com/lobbywire/lobbywire/gameagent"
	"github.com/lobbywire/lobbywire/gameagent/gamespy1/gamespy1net"
)

// masterOptions are the flags of the command master.
type masterOptions struct {
	turns
	servers, clients int
}

// A masterRow is a load of a master, in bursts.
type masterRow struct {
	name       string
	heartbeats int // per burst, before the list requests
	lists      int // list requests per burst
	packets    int // packets of a list
}

func masterRows() []masterRow {
	return []masterRow{
		{name: "heartbeat", heartbeats: batchSize - 1, lists: 1, packets: 1},
		{name: "list-1", lists: 16, packets: 1},
		{name: "list-16", lists: 4, packets: 16},
	}
}

func masterCommand(ctx context.Context, args []string, stdout, stderr io.Writer) error {
	var o masterOptions
	flags := flag.NewFlagSet("udpbench master", flag.ContinueOnError)
	o.turns.addFlags(flags)
	flags.IntVar(&o.servers, "servers", 100_000, "`number` of listed servers")
	flags.IntVar(&o.clients, "clients", 4, "`number` of sockets that servers share")
	if err := parseFlags(flags, args, stderr); err != nil {
		return err
	}
	if o.rounds < 1 || o.clients < 1 || o.servers < o.clients || o.servers > maxMasterServers {
		return &usageError{fmt.Errorf("rounds and clients must be at least 1, and servers from clients to %d",
			maxMasterServers)}
	}
	if 2*o.each*time.Duration(o.rounds) > gamespy1net.Expiry/2 {
		return &usageError{fmt.Errorf("servers expire in fewer or shorter rounds: a row may take %v",
			gamespy1net.Expiry/2)}
	}
	rows := make(map[string]masterRow)
	var names []string
	for _, row := range masterRows() {
		rows[row.name] = row
		names = append(names, row.name)
	}
	return o.print(stdout, names, func(name string) ([]respondRow, error) { return o.measure(ctx, rows[name]) })
}

// measure loads a master and yardsticks with the same answers, in turn.
func (o *masterOptions) measure(ctx context.Context, row masterRow) (rows []respondRow, err error) {
	load, err := bench.Start(ctx, kindMasterLoad, 1)
	if err != nil {
		return nil, err
	}
	defer load.End()
	o.bind(load, "1")
	job := masterLoadJob{masterJob: masterJob{Servers: o.servers, ListPackets: row.packets}, Clients: o.clients}
	var ready masterLoadReady
	if err := load.Ask(job, &ready); err != nil {
		return nil, err
	}
	job.Ports = ready.Ports
	ours, err := o.startSide(ctx, serverJob{Master: &job.masterJob})
	if err != nil {
		return nil, err
	}
	defer ours.End()
	answers, err := probeMaster(ours, row.packets)
	if err != nil {
		return nil, err
	}
	others, err := o.startYardsticks(ctx, answers, row.packets > 1)
	defer endAll(others)
	if err != nil {
		return nil, err
	}
	return o.take(row.name, ours, others, func(s *side, d time.Duration) error {
		return s.measure(load,
			masterLoad{Server: s.Addr, For: d, Heartbeats: row.heartbeats, Lists: row.lists, Packets: row.packets})
	})
}

// probeMaster requests the list of a master once. Heartbeats have no answer.
func probeMaster(s *side, packets int) (map[int][][]byte, error) {
	conn, err := net.Dial("udp4", s.Addr.String())
	if err != nil {
		return nil, err
	}
	defer conn.Close()
	request, err := gameagent.ListRequest{}.AppendBinary(nil)
	if err != nil {
		return nil, err
	}
	if err := conn.SetDeadline(time.Now().Add(10 * patience)); err != nil {
		return nil, err
	}
	if _, err := conn.Write(request); err != nil {
		return nil, err
	}
	var list [][]byte
	for range packets {
		buf := make([]byte, gameagent.MaxHeartbeat)
		n, err := conn.Read(buf)
		if err != nil {
			return nil, errors.Join(errors.New("the list is too short"), err)
		}
		list = append(list, buf[:n])
	}
	return map[int][][]byte{len(request): list}, nil
}
