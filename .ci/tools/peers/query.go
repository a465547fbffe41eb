package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/netip"
	"strconv"
	"sync"
	"time"

	"github.com/dreamscached/minequery/v2"
	mcutil "github.com/mcstatus-io/mcutil/v4/query"
	"github.com/millkhan/mcstatusgo/v2"
	"github.com/multiplay/go-svrquery/lib/svrquery"
	"github.com/multiplay/go-svrquery/lib/svrquery/protocol/sqp"
	mcutils "github.com/xrjr/mcutils/pkg/query"
)

// timeout is how long a package waits for an answer, where it can be set.
const timeout = 3 * time.Second

// An answer is what a package returns about a server. Texts are bytes, since they may
// be no UTF-8.
type answer struct {
	Error      string
	Name, Map  []byte
	MaxPlayers int
	NumPlayers int
	Players    [][]byte // names
}

// clients are the packages by their names. Those for Minecraft request the full stat
// and the basic stat.
var clients = map[string]func(addr netip.AddrPort) (answer, error){
	"go-svrquery": querySvrquery,
	"mcstatusgo":  queryMcstatusgo,
	"minequery":   queryMinequery,
	"mcutil":      queryMcutil,
	"mcutils":     queryMcutils,
}

func queryAll(pkg string, addrs []string, out io.Writer) error {
	query, ok := clients[pkg]
	if !ok {
		return fmt.Errorf("no client in package %q", pkg)
	}
	answers := make([]answer, len(addrs))
	var all sync.WaitGroup
	for i, text := range addrs {
		addr, err := netip.ParseAddrPort(text)
		if err != nil {
			return err
		}
		all.Go(func() {
			var err error
			answers[i], err = query(addr)
			if err != nil {
				answers[i] = answer{Error: err.Error()}
			}
		})
	}
	all.Wait()
	enc := json.NewEncoder(out)
	for _, a := range answers {
		if err := enc.Encode(a); err != nil {
			return err
		}
	}
	return nil
}

func querySvrquery(addr netip.AddrPort) (answer, error) {
	c, err := svrquery.NewClient("sqp", addr.String())
	if err != nil {
		return answer{}, err
	}
	defer c.Close()
	r, err := c.Query()
	if err != nil {
		return answer{}, err
	}
	info := r.(*sqp.QueryResponse).ServerInfo
	return answer{
		Name: []byte(info.ServerName), Map: []byte(info.Map),
		MaxPlayers: int(info.MaxPlayers), NumPlayers: int(info.CurrentPlayers),
	}, nil
}

func queryMcstatusgo(addr netip.AddrPort) (answer, error) {
	full, err := mcstatusgo.FullQuery(addr.Addr().String(), addr.Port(), timeout, timeout)
	if err != nil {
		return answer{}, err
	}
	basic, err := mcstatusgo.BasicQuery(addr.Addr().String(), addr.Port(), timeout, timeout)
	if err != nil {
		return answer{}, err
	}
	return minecraft(full.Description, basic.Description, full.MapName, full.Players.Max, full.Players.Online,
		full.Players.PlayerList)
}

func queryMinequery(addr netip.AddrPort) (answer, error) {
	p := minequery.NewPinger(minequery.WithTimeout(timeout), minequery.WithUseStrict(true))
	full, err := p.QueryFull(addr.Addr().String(), int(addr.Port()))
	if err != nil {
		return answer{}, err
	}
	basic, err := p.QueryBasic(addr.Addr().String(), int(addr.Port()))
	if err != nil {
		return answer{}, err
	}
	return minecraft(full.MOTD, basic.MOTD, full.Map, full.MaxPlayers, full.OnlinePlayers, full.SamplePlayers)
}

func queryMcutil(addr netip.AddrPort) (answer, error) {
	ctx, cancel := context.WithTimeout(context.Background(), 2*timeout)
	defer cancel()
	full, err := mcutil.Full(ctx, addr.Addr().String(), addr.Port())
	if err != nil {
		return answer{}, err
	}
	basic, err := mcutil.Basic(ctx, addr.Addr().String(), addr.Port())
	if err != nil {
		return answer{}, err
	}
	online, err := strconv.Atoi(full.Data["numplayers"])
	if err != nil {
		return answer{}, err
	}
	return minecraft(full.Data["hostname"], basic.MOTD.Raw, full.Data["map"], int(basic.MaxPlayers), online,
		full.Players)
}

func queryMcutils(addr netip.AddrPort) (answer, error) {
	full, err := mcutils.QueryFull(addr.Addr().String(), int(addr.Port()))
	if err != nil {
		return answer{}, err
	}
	basic, err := mcutils.QueryBasic(addr.Addr().String(), int(addr.Port()))
	if err != nil {
		return answer{}, err
	}
	return minecraft(full.Properties["hostname"], basic.MOTD, full.Properties["map"], basic.MaxPlayers,
		basic.NumPlayers, full.OnlinePlayers)
}

// minecraft returns the answer of a Minecraft server. The name must be the same in the
// full stat and the basic stat, except bytes that are no UTF-8, which mcstatusgo
// replaces in the full stat.
func minecraft(name, basic, level string, limit, online int, players []string) (answer, error) {
	if string([]rune(name)) != string([]rune(basic)) {
		return answer{}, fmt.Errorf("the basic stat has the name %q, the full stat %q", basic, name)
	}
	a := answer{Name: []byte(name), Map: []byte(level), MaxPlayers: limit, NumPlayers: online}
	for _, p := range players {
		a.Players = append(a.Players, []byte(p))
	}
	return a, nil
}
