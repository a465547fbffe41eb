package formats

import (
	"slices"

	"github.com/lobbywire/lobbywire/gameagent/gamespy1"
)

func gamespy1Formats() []Format {
	status := withOptions(gamespy1Options, gamespy1.Options.ParseStatus,
		gamespy1.ExplainWith[gamespy1.Status])
	status = splitBy(status, gamespy1.Status.Packets,
		func(packets [][]byte, o Options) (gamespy1.Status, error) {
			a := gamespy1.Assembler{Options: gamespy1.Options{Query: o.Query}}
			return joined(packets, &a, a.Status)
		})
	all := gamespy1Messages(
		Format{Name: "gamespy1.Status", Doc: "answer to a request", Codec: status},
		newUnknown("gamespy1.Unknown", func(raw []byte) encoder { return gamespy1.Unknown{Raw: raw} },
			gamespy1.ExplainToMaster),
	)
	overTCP := []string{"gamespy1.Greeting", "gamespy1.ListRequest", "gamespy1.ServerList",
		"gamespy1.AddressList", "gamespy1.SyncRequest", "gamespy1.SyncList",
		"gamespy1.ToListPort"}
	for i := range all {
		all[i].Datagram = !slices.Contains(overTCP, all[i].Name)
	}
	greeting, _ := Find(all, overTCP[0])
	list, _ := Find(all, overTCP[2])
	addressList, _ := Find(all, overTCP[3])
	return append(all, Format{
		Name: "gamespy1.MasterStream",
		Doc:  "all that a master sends: a Greeting, then a ServerList or AddressList",
		Codec: Stream{
			proto:   "gamespy1",
			open:    func(o Options) cutter { return cutGamespy1Master(o, greeting, list, addressList) },
			members: members{greeting, list, addressList},
		},
	})
}

// cutGamespy1Master returns the cutter for what a master sends. The text of a list may
// also be read as addresses of the compact one.
func cutGamespy1Master(o Options, greeting, list, text Format) cutter {
	greeted := false
	return func(rest []byte) (int, Format, error) {
		if greeted {
			if m, err := gamespy1Options(o).ParseAddressList(rest); err == nil && len(m.Servers) > 0 {
				return len(rest), text, nil
			}
			if _, err := gamespy1Options(o).ParseServerList(rest); err != nil {
				return 0, list, err
			}
			return len(rest), list, nil
		}
		greeted = true
		m, after, err := gamespy1.NextGreeting(rest)
		if err != nil {
			_, err = gamespy1Options(o).ParseGreeting(rest)
			return 0, greeting, err
		}
		size := len(rest) - len(after)
		if empty, err := (gamespy1.ServerList{}).AppendBinary(nil); m.Final && len(after) == 0 && err == nil {
			size -= len(empty) // an empty list has the same bytes as the end mark of a greeting
		}
		if _, err := gamespy1Options(o).ParseGreeting(rest[:size]); err != nil {
			return 0, greeting, err
		}
		return size, greeting, nil
	}
}

func gamespy1Options(o Options) gamespy1.Options {
	return gamespy1.Options{Strict: o.Strict, Part: o.Part, Query: o.Query}
}
