package servers

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"net/netip"
	"slices"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/gamespy2"
	"github.com/lobbywire/lobbywire/gamespy2/gamespy2net"
	"github.com/lobbywire/lobbywire/internal/test/nettest"
)

// A plantedAnswer is a mistake in the answers of our server, which supports what the toys
// lack: other chunks and forms, and answers of several packets.
type plantedAnswer struct {
	name   string
	view   func(v *lobbywire.View) // changes the states, nil for none
	change func(req []byte, answers [][]byte) [][]byte
	found  string
}

// ofEach changes the answers to some requests one by one.
func ofEach(to func(req []byte) bool, change func(b []byte) []byte) func(req []byte, answers [][]byte) [][]byte {
	return func(req []byte, answers [][]byte) [][]byte {
		for i, b := range answers {
			if to(req) {
				answers[i] = change(b)
			}
		}
		return answers
	}
}

// ofSeveral changes answers of several packets to some requests.
func ofSeveral(to func(req []byte) bool, change func(answers [][]byte) [][]byte,
) func(req []byte, answers [][]byte) [][]byte {
	return func(req []byte, answers [][]byte) [][]byte {
		if to(req) && len(answers) > 1 {
			return change(answers)
		}
		return answers
	}
}

// withoutLast loses the last packet.
func withoutLast(answers [][]byte) [][]byte { return answers[:len(answers)-1] }

// roster changes the names of players.
func roster(change func(name string) string) func(v *lobbywire.View) {
	return func(v *lobbywire.View) {
		v.Roster = slices.Clone(v.Roster)
		for i, p := range v.Roster {
			v.Roster[i].Name = change(p.Name)
		}
	}
}

func asksChunks(chunks byte) func(req []byte) bool {
	return func(req []byte) bool { return len(req) == 8 && req[7] == chunks }
}

func asksSplit(req []byte) bool { return len(req) == 15 && req[2] == 0 && req[14] == 1 }

func startsWith(first byte) func(req []byte) bool {
	return func(req []byte) bool { return len(req) > 0 && req[0] == first }
}

// replacedIn changes a text.
func replacedIn(old, with string) func(b []byte) []byte {
	return func(b []byte) []byte { return bytes.ReplaceAll(b, []byte(old), []byte(with)) }
}

func plantedSQPAnswers() []plantedAnswer {
	const countAt, lengthAt, chunkAt = 15, 9, 11 // of players, in the first chunk
	isChallenge := func(req []byte) bool { return len(req) == 5 && req[0] == 0 }
	return []plantedAnswer{
		{"has another name beside players", nil, ofEach(asksChunks(5), replacedIn("Duel", "Once")), "sqp/2.6"},
		{"counts another player beside all chunks", nil, ofEach(asksChunks(0x0f), func(b []byte) []byte {
			b[countAt+1]++
			return b
		}), "sqp/2.6"},
		{"ends names with zero bytes", roster(func(name string) string { return name + "\x00" }), nil, "sqp/2.8"},
		{"ends the map with a line", func(v *lobbywire.View) { v.Map += "\r\n" }, nil, "sqp/2.7"},
		{"counts players with a sign", nil, ofEach(asksChunks(4), func(b []byte) []byte {
			if len(b) > countAt+1 && b[countAt+1] > 127 {
				b[countAt] = 0xff
			}
			return b
		}), "sqp/6.11"},
		{"sends the first packet of players", nil, ofSeveral(asksChunks(4), withoutLast), "sqp/6.11"},
		{name: "answers challenge responses", found: "sqp/1.15",
			change: answersTo(isChallenge, func(req []byte) []byte { return []byte{0, 9, 9, req[3], 9} })},
		{name: "answers challenge requests of 4 bytes", found: "sqp/3.3",
			change: answersTo(func(req []byte) bool { return len(req) == 4 && req[0] == 0 },
				func([]byte) []byte { return []byte{0, 9, 9, 9, 9} })},
		{name: "counts a player more in the table", found: "sqp/2.9",
			change: ofEach(asksChunks(4), func(b []byte) []byte { b[countAt+1]++; return b })},
		{name: "counts players in the other byte order", found: "sqp/2.9",
			change: ofEach(asksChunks(4), func(b []byte) []byte { slices.Reverse(b[countAt : countAt+2]); return b })},
		{name: "counts teams in the other byte order", found: "sqp/2.9",
			view: func(v *lobbywire.View) { v.Teams = details()[1].View.Teams },
			change: ofEach(asksChunks(8), func(b []byte) []byte {
				if len(b) > countAt+1 {
					slices.Reverse(b[countAt : countAt+2])
				}
				return b
			})},
		{name: "sends a chunk that was not requested", found: "sqp/2.10",
			change: ofEach(asksChunks(1), func(b []byte) []byte {
				b = append(b, 0, 0, 0, 1, 0)
				binary.BigEndian.PutUint16(b[lengthAt:], uint16(len(b)-chunkAt))
				return b
			})},
		{name: "splits the answer with all chunks", found: "sqp/4.1", view: crowd},
	}
}

func plantedGameSpyAnswers() []plantedAnswer {
	ids := map[int32][]byte{} // by challenge
	const numberAt = 14       // of a packet
	return []plantedAnswer{
		{"repeats the id of the challenge request", nil, func(req []byte, answers [][]byte) [][]byte {
			for _, b := range answers {
				if c, err := gamespy2.ParseChallengeResponse(b); err == nil {
					ids[c.Number] = bytes.Clone(req[3:7])
				} else if len(req) > 11 {
					copy(b[1:], ids[int32(binary.BigEndian.Uint32(req[7:]))])
				}
			}
			return answers
		}, "gamespy2/1.19"},
		{"takes flags of 0 for others", nil, ofEach(func(req []byte) bool { return len(req) == 15 && req[14] == 0 },
			func(b []byte) []byte { return append(append(b[:5:5], "splitnum\x00\x80\x00"...), b[5:]...) }), "gamespy2/2.1"},
		{"leaves out unknown keys", nil, ofEach(func(req []byte) bool { return len(req) > 15 && req[11] > 1 },
			replacedIn("\x00\x00", "\x00")), "gamespy2/2.6"},
		{"answers long challenge requests in another way", nil, ofEach(func(req []byte) bool {
			return isChallengeRequest(req) && len(req) == 11
		}, func(b []byte) []byte { return b[:5] }), "gamespy2/5.1"},
		{"ends names with lines", roster(func(name string) string { return name + "\n" }), nil, "gamespy2/5.2"},
		{"loses the last packet", nil, ofSeveral(asksSplit, withoutLast), "gamespy2/6.11"},
		{"sends the first packet as the last", nil, ofSeveral(asksSplit, func(answers [][]byte) [][]byte {
			answers[0][numberAt] |= 0x80
			return answers[:1]
		}), "gamespy2/6.11"},
		{"counts packets from 1", nil, ofSeveral(asksSplit, func(answers [][]byte) [][]byte {
			for _, b := range answers {
				b[numberAt]++
			}
			return answers
		}), "gamespy2/6.11"},
		{"continues columns at the first player", nil, ofSeveral(asksSplit, func(answers [][]byte) [][]byte {
			for _, b := range answers[1:] {
				name := bytes.IndexByte(b[numberAt+2:], 0)
				b[numberAt+2+name+1] = 0
			}
			return answers
		}), "gamespy2/6.11"},
		{"loses half of the players in the split form", nil, func(req []byte, answers [][]byte) [][]byte {
			if !asksSplit(req) || len(answers) < 2 {
				return answers
			}
			few := new(gamespy2net.Server)
			v := hard()[0].View
			const half = 30
			v.Roster = v.Roster[:half]
			few.SetView(v)
			q := slices.Concat(req[:7], req[11:])
			return nettest.Answers(few.Respond(netip.MustParseAddrPort("192.0.2.7:50000"), q, nil))
		}, "gamespy2/6.11"},
		{"sends no empty values", nil, ofEach(asksSplit, replacedIn("gametype\x00\x00", "gametype\x00")), "gamespy2/6.12"},
		{name: "answers echo requests with more", found: "gamespy2/1.15",
			change: answersTo(func(req []byte) bool { return len(req) > 7 && req[2] == 2 },
				func([]byte) []byte { return make([]byte, 100) })},
		{name: "sends info for players", found: "gamespy2/2.2",
			change: ofEach(func(req []byte) bool { return len(req) == 14 && req[11] == 0 && req[12] == 0xff },
				func(b []byte) []byte { return append(b[:5:5], "hostname\x00Duel\x00\x00"...) })},
		{name: "sends info for teams", found: "gamespy2/2.3",
			change: ofEach(func(req []byte) bool { return len(req) == 14 && req[12] == 0 && req[13] == 0xff },
				func(b []byte) []byte { return append(b[:5:5], "hostname\x00Duel\x00\x00"...) })},
		{name: "does not end the last section", found: "gamespy2/2.9",
			change: ofEach(asksSplit, func(b []byte) []byte { return bytes.TrimSuffix(b, []byte{0}) })},
		{name: "sends each packet twice", found: "gamespy2/2.10",
			change: ofEachAnswer(asksSplit, twice)},
		{name: "answers queries without their last byte", found: "gamespy2/3.2",
			change: answersTo(func(req []byte) bool { return len(req) == 6 && req[2] == 9 },
				func([]byte) []byte { return []byte("\x09\x01\x02\x03\x00123456\x00") })},
		{name: "has packets of 1500 bytes", found: "gamespy2/4.2", view: crowd,
			change: ofSeveral(asksSplit, largePackets)},
		{name: "has challenges as four bytes", found: "gamespy2/1.1",
			change: ofEach(isChallengeRequest, rawChallenge)},
	}
}

func plantedGameAgentAnswers() []plantedAnswer {
	return []plantedAnswer{
		{"ends the name with a line", func(v *lobbywire.View) { v.Name += "\n" }, nil, "gameagent/5.2"},
		{"has scores without a sign", nil, ofEach(startsWith(3), replacedIn("\x02-57", "\x024294967239")), "gameagent/6.10"},
		{"starts each packet of players anew", nil, ofSeveral(startsWith(3), func(answers [][]byte) [][]byte {
			for i, b := range answers[1:] {
				answers[i+1] = append([]byte("\x01players\x02130\x03"), b...)
			}
			return answers
		}), "gameagent/6.11"},
		{"ends each packet of players", nil, ofSeveral(startsWith(3), func(answers [][]byte) [][]byte {
			answers[0] = append(answers[0], 4)
			return answers
		}), "gameagent/6.11"},
		{"loses the last packet of players", nil, ofSeveral(startsWith(3), withoutLast), "gameagent/6.11"},
		{"loses the last legacy packet", nil, ofSeveral(startsWith('\\'), withoutLast), "gameagent/6.11"},
		{"numbers all legacy packets 1", nil, ofSeveral(startsWith('\\'), func(answers [][]byte) [][]byte {
			for i, b := range answers {
				answers[i] = bytes.ReplaceAll(b, fmt.Appendf(nil, ".%d", i+1), []byte(".1"))
			}
			return answers
		}), "gameagent/6.11"},
		{"has another player in the legacy form", nil, ofEach(startsWith('\\'), replacedIn("Player 120", "Other")),
			"gameagent/6.11"},
		{name: "has packets of 3000 bytes", found: "gameagent/4.1", view: crowd,
			change: ofSeveral(startsWith(3), func(answers [][]byte) [][]byte { return [][]byte{slices.Concat(answers...)} })},
		{name: "does not end the status", found: "gameagent/1.7",
			change: ofEach(isLegacy("status"), replacedIn(`\final\`, `\x\`))},
		{name: "does not end the info", found: "gameagent/2.1",
			change: ofEach(isLegacy("info"), replacedIn(`\final\`, `\x\`))},
		{name: "does not end the basic answer", found: "gameagent/2.2",
			change: ofEach(isLegacy("basic"), replacedIn(`\final\`, `\x\`))},
		{name: "does not end the legacy players", found: "gameagent/2.3",
			change: ofEach(isLegacy("players"), replacedIn(`\final\`, `\x\`))},
		{name: "answers legacy answers", found: "gameagent/1.8",
			change: answersTo(isLegacy("final"), func([]byte) []byte { return []byte(`\final\`) })},
		{name: "has one queryid", found: "gameagent/2.9", view: crowd,
			change: ofEach(isLegacy("status"), hasOneQueryID)},
		{name: "counts legacy packets from 0", found: "gameagent/2.10",
			change: ofEach(isLegacy("status"), replacedIn(".1", ".0"))},
		{name: "sends each legacy packet twice", found: "gameagent/2.11",
			change: ofEachAnswer(isLegacy("status"), twice)},
		{name: "answers mutated queries", found: "gameagent/3.3",
			change: answersTo(func(req []byte) bool { return len(req) > 3 && bytes.HasSuffix(req, []byte(";x")) && req[0] > 4 },
				func([]byte) []byte { return []byte{4, '0'} })},
	}
}
