package gamespy1

import (
	"bytes"
	"slices"
	"strconv"
	"strings"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/gameagent/internal/pairs"
	"github.com/lobbywire/lobbywire/internal/wire"
)

// A Status answers a [Request]. It consists of pairs, the players and
// an end mark. A backslash precedes each key and each value:
//
//	\gamename\serioussamse\gamever\1.10\...\vipplayers\1
//	\player_0\Angelo\frags_0\14\ping_0\80...
//	\final\\queryid\333.1
//
// Nothing is escaped, so values cannot contain backslashes. Text is in the code
// page of the host. The answers to the other queries are parts of the answer to
// QueryStatus.
//
//wire:message
type Status struct {
	// Query is the query that the status answers. It determines whether a key and the
	// players are appended. Parsing sets it to Options.Query.
	Query Query

	GameName         string `wire:"gameName,key=gamename"`         // "serioussamse" or the name of a mod
	GameVersion      string `wire:"gameVersion,key=gamever"`       // the engine's in Serious Sam, such as "1.10"
	Location         string `wire:"location,key"`                  // set by the host; by default "EU" or "Heartland"
	HostName         string `wire:"hostName,key=hostname"`         // the session name
	HostPort         uint16 `wire:"hostPort,key=hostport"`         // port of the game, not of queries; 0 if unknown
	MapName          string `wire:"mapName,key=mapname"`           // display name of the level
	GameType         string `wire:"gameType,key=gametype"`         // "Fragmatch", translated
	ActiveMod        string `wire:"activeMod,key=activemod"`       // "" from Serious Sam
	NumPlayers       *int   `wire:"numPlayers,key=numplayers"`     // players on the server now, from 0; nil if unknown
	MaxPlayers       *int   `wire:"maxPlayers,key=maxplayers"`     // capacity; nil if unknown
	GameMode         string `wire:"gameMode,key=gamemode"`         // "openplaying"
	Difficulty       string `wire:"difficulty,key"`                // "Normal"
	FriendlyFire     *bool  `wire:"friendlyFire,key=friendlyfire"` // this and the other flags are nil if unknown
	WeaponsStay      *bool  `wire:"weaponsStay,key=weaponsstay"`
	AmmoStays        *bool  `wire:"ammoStays,key=ammosstay"`
	HealthArmorStays *bool  `wire:"healthArmorStays,key=healthandarmorstays"`
	AllowHealth      *bool  `wire:"allowHealth,key=allowhealth"`
	AllowArmor       *bool  `wire:"allowArmor,key=allowarmor"`
	// Serious Sam sends its rule for ammunition under this key
	InfiniteAmmo   *bool `wire:"infiniteAmmo,key=infinitearmor"`
	RespawnInPlace *bool `wire:"respawnInPlace,key=respawninplace"`
	Password       *bool `wire:"password,key"`              // always false from Serious Sam
	VIPPlayers     *bool `wire:"vipPlayers,key=vipplayers"` // always true from Serious Sam

	// Players can be fewer than NumPlayers. Some games also send players
	// who have left, after the others: see [Status.View].
	Players []Player

	// Extra holds pairs without a field: unknown keys, repeated keys, values that are no
	// numbers or flags, and the keys of teams, such as teamname_0.
	Extra   []Pair
	QueryID string // from Serious Sam, as Query.ID; "" if there is none. See Packets

	// Partial reports that keys, values or players may be missing or in Extra: the keys and
	// values are not pairs, because a value contains a backslash or the answer is cut;
	// there are more than MaxPlayers players; or, by its number, packets before this one
	// are missing. A partial answer cannot be appended.
	Partial bool
}

// decode needs the whole answer in one packet; with Options.Part the end may be
// missing. [Assembler] joins the packets of a longer answer. Keys may be in
// any order and may be missing.
func (m *Status) decode(r *wire.Reader, o Options) {
	r.DecodeTexts(o.Text)
	marks := m.decodePart(r, o.Query)
	if !marks.final && !o.Part {
		r.Fail(lobbywire.ErrTruncated, finalKey, r.Offset())
	}
	if _, number, _ := cutPartID(m.QueryID); !o.Part && !marks.named && number > 1 {
		m.Partial = true // the packets before it are missing
	}
}

// partMarks show the position of a packet in its answer.
type partMarks struct {
	final   bool // contains the end of the answer, \final\
	named   bool // contains the key hostname or gamename, as the first packet of every status
	queryID int  // offset of \queryid\, or -1
}

// decodePart reads the pairs of a packet. The case of keys does not matter.
//
// If the number of keys and values is odd, they are not pairs: a value is missing, or
// contains a backslash. An unknown key before a known key, and any key before the query ID
// at the end, then counts as a key without a value, so that the pairs after it are not
// lost.
func (m *Status) decodePart(r *wire.Reader, q Query) (marks partMarks) {
	m.Query = q
	if q.hasPlayers() {
		m.Players = []Player{}
	}
	marks.queryID = -1
	keys, fields := statusKeys[:], m.fields()
	if !startsWithFirstKey(r.Peek()) {
		pairs.DecodeLiteral(r, `\`, "separator")
	}
	start, texts := r.Offset(), r.Peek()
	odd := (bytes.Count(texts, []byte{slash})%2 == 0) != hasBareEnd(texts)
	var numbers pairs.Memory
	for next := 0; r.Len() > 0; {
		r.In("", -1)
		at := r.Offset()
		key, hasValue := r.TextUntil(slash, "key")
		known := strings.ToLower(key)
		i := pairs.Find(keys, known, next)
		switch {
		case r.Failed():
		case known == finalKey:
			decodeFinal(r, texts[:at-start+len(finalKey)])
			marks.final = true
		case !hasValue, odd && i < 0 && known != queryIDKey && startsWithKey(r.Peek()), odd && isQueryID(r.Peek()):
			m.Partial = true
			m.Extra = append(pairs.Room(m.Extra, r.Len()), Pair{Key: key, Value: ""})
		case i >= 0 && q.has(known):
			next = (i + 1) % len(keys)
			marks.named = marks.named || known == hostNameKey || known == gameNameKey
			if value, _ := r.TextUntil(slash, keys[i].Name); !numbers.Set(fields[i], value, r.Len()) {
				m.Extra = append(pairs.Room(m.Extra, r.Len()), Pair{Key: key, Value: value})
			}
		case known == queryIDKey && m.QueryID == "":
			m.QueryID = decodeQueryID(r)
			marks.queryID = at - len(`\`)
		default:
			m.decodeOther(r, &numbers, key, known, at)
		}
	}
	r.In("", -1)
	return marks
}

// startsWithFirstKey reports whether b starts with a known key rather than the
// backslash before it, which netPanzer leaves out.
func startsWithFirstKey(b []byte) bool {
	return len(b) > 0 && b[0] != slash &&
		slices.ContainsFunc(statusKeys[:], func(k key) bool { return pairs.StartsAs(b, k.Wire+`\`) })
}

// startsWithKey reports whether b starts with a key that this package knows.
func startsWithKey(b []byte) bool {
	text, _, _ := bytes.Cut(b, []byte{slash})
	key := strings.ToLower(string(text))
	name, _, _ := pairs.CutIndex(key)
	return pairs.Find(statusKeys[:], key, 0) >= 0 || key == finalKey || key == queryIDKey ||
		isPlayerKey(name) || fieldOfTeam(name) != notTeam
}

// isQueryID reports whether b is a query ID, with its key.
func isQueryID(b []byte) bool {
	key, id, ok := bytes.Cut(b, []byte{slash})
	return ok && bytes.EqualFold(key, []byte(queryIDKey)) && bytes.IndexByte(id, slash) < 0
}

// bareEnd is an end mark without its value before a query ID, as some games send it.
const bareEnd = endMark + queryIDKey + `\`

// hasBareEnd reports whether b, which starts after its first backslash, ends with a bareEnd
// and a query ID.
func hasBareEnd(b []byte) bool {
	b = b[:bytes.LastIndexByte(b, slash)+1]
	tail := b[max(len(b)-len(bareEnd), 0):]
	return bytes.EqualFold(tail, []byte(bareEnd)) || bytes.EqualFold(b, []byte(bareEnd[1:]))
}

// decodeFinal reads the value of \final\, which must be empty. Some games leave it out
// before \queryid\, and some send a zero byte at the end of a packet. before holds the keys
// and values up to the end mark, or nil if they are always pairs.
func decodeFinal(r *wire.Reader, before []byte) {
	at := r.Offset()
	next, _, found := bytes.Cut(r.Peek(), []byte{slash})
	key := strings.ToLower(string(next))
	switch {
	case found && key == queryIDKey:
	case !found && key != "" && strings.HasPrefix(queryIDKey, key):
		r.Fail(lobbywire.ErrTruncated, finalKey, at)
	default:
		value, _ := r.TextUntil(slash, finalKey)
		switch {
		case trimZeros(value) == "":
		case mayShift(before):
			r.Fail(lobbywire.ErrTruncated, finalKey, at)
		default:
			r.Refuse(finalKey, at, "has a value")
		}
	}
}

// mayShift reports whether the last key of b is a key only for an even, or only for an odd,
// number of keys and values: an unknown key before it has a value that is a key.
func mayShift(b []byte) bool {
	for len(b) > 0 {
		text, rest, _ := bytes.Cut(b, []byte{slash})
		key := strings.ToLower(string(text))
		if pairs.Find(statusKeys[:], key, 0) < 0 && key != queryIDKey && startsWithKey(rest) {
			return true
		}
		_, b, _ = bytes.Cut(rest, []byte{slash})
	}
	return false
}

// decodeQueryID reads a query ID without the zero byte that may be at the end of a
// packet.
func decodeQueryID(r *wire.Reader) string {
	id, _ := r.TextUntil(slash, "queryId")
	return trimZeros(id)
}

// trimZeros returns the last text of a message without the zero bytes that some games
// send at the end.
func trimZeros(text string) string { return strings.TrimRight(text, "\x00") }

// decodeOther reads the value of the key at offset at, which has no field here; known is
// the key in lower case. It belongs to a player if it is a key of players, or if there is a
// player with its index and it is not a key of teams. Other keys with an index, such as
// those of a list of maps, do not add players.
func (m *Status) decodeOther(r *wire.Reader, numbers *pairs.Memory, key, known string, at int) {
	name, index, ok := pairs.CutIndex(known)
	switch {
	case !ok, !m.Query.hasPlayers():
		ok = false
	case isPlayerKey(name):
		full := len(m.Players) == MaxPlayers && findPlayer(m.Players, index) < 0
		m.Partial = m.Partial || full
		ok = !full
	default:
		ok = fieldOfTeam(name) == notTeam && findPlayer(m.Players, index) >= 0
	}
	if !ok {
		decodeExtra(r, &m.Extra, key)
		return
	}
	p := m.playerAt(r, index, at)
	i := pairs.Find(playerKeys[:], name, 0)
	value, _ := r.TextUntil(slash, pairs.NameOf(playerKeys[:], i, "extra"))
	p.set(r, numbers, i, key[:strings.LastIndexByte(key, '_')], value)
}

// decodeExtra reads the value of a key without a field.
func decodeExtra(r *wire.Reader, extra *[]Pair, key string) {
	r.In("extra", len(*extra))
	value, _ := r.TextUntil(slash, "value")
	*extra = append(pairs.Room(*extra, r.Len()), Pair{Key: key, Value: value})
}

// append writes a single packet: the keys in the order of Serious Sam, Extra, the players
// and the end. It fails if Query is unknown, if the answer is Partial, if a field is set
// that is not part of the answer, if Extra holds a key that decoding does not put there, if
// a number is below 0 or above 2147483647, if a text contains a backslash or a zero byte,
// if a text of a player contains a control character, if two players have the same index,
// if there are more than [MaxPlayers] players, or if the message is longer than [MaxPacket]
// bytes. Use [Status.Packets] for long answers.
func (m *Status) append(w *wire.Writer) {
	m.appendCut(w, nil)
	pairs.RefuseIn(w, slash, m.QueryID, "queryId")
	w.Text(ending(m.QueryID))
	pairs.AppendEnd(w, MaxPacket)
}

// appendCut appends the answer without its query ID.
func (m *Status) appendCut(w *wire.Writer, cuts *pairs.Cuts) {
	if !m.Query.known() {
		w.Fail(wire.Unsupported("is unknown"), "query")
	}
	if m.Partial {
		w.Refuse("partial", "a partial answer cannot be sent")
	}
	keys, fields := statusKeys[:], m.fields()
	if m.Query == QueryStatus {
		pairs.AppendFields(w, slash, keys, fields[:])
	} else {
		for i, k := range keys {
			if m.Query.has(k.Wire) {
				pairs.AppendFields(w, slash, keys[i:i+1], fields[i:])
			} else if pairs.IsSet(fields[i]) {
				w.Refuse(k.Name, "not part of the answer")
			}
		}
	}
	hasPlayers := m.Query.hasPlayers()
	pairs.AppendExtra(w, slash, m.Extra, func(p Pair) bool {
		key := strings.ToLower(p.Key)
		name, _, _ := pairs.CutIndex(key)
		return key == finalKey || key == queryIDKey || hasPlayers && isPlayerKey(name) ||
			m.Query.has(key) && pairs.HasField(keys, fields[:], key, p.Value)
	})
	cuts.Mark(w)
	if len(m.Players) > 0 && !hasPlayers {
		w.Refuse("players", "not part of the answer")
	}
	m.appendPlayers(w, cuts)
	w.Text(endMark)
}

// Packets returns the answer as datagrams of up to [MaxPacket] bytes. It cuts the answer
// between players. It fails if a player does not fit in a datagram or for another reason
// for which AppendBinary fails, except the length of the answer.
//
// If there are several datagrams, each ends with the query ID, with the number of the
// datagram, from 1, in place of the text after the period: \queryid\333.1, \queryid\333.2.
// Serious Sam sends the query ID only in the last datagram, without such a number; clients
// of GameSpy other than qstat cannot join these. GameQ reads up to 9 datagrams. Without a
// QueryID, the datagrams contain none.
func (m Status) Packets() ([][]byte, error) {
	w := wire.NewWriter(nil)
	var c pairs.Cuts
	m.appendCut(&w, &c)
	pairs.RefuseIn(&w, slash, m.QueryID, "queryId")
	end := ending(m.QueryID)
	if id, _, _ := strings.Cut(m.QueryID, "."); id != "" && w.Len()+len(end) > MaxPacket {
		return c.Packets(&w, proto, MaxPacket, func(n int) string { return ending(id + "." + strconv.Itoa(n)) })
	}
	return c.Packets(&w, proto, MaxPacket, func(int) string { return end })
}

// ending returns a query ID with its key, or "" if there is none.
func ending(queryID string) string {
	if queryID == "" {
		return ""
	}
	return `\` + queryIDKey + `\` + queryID
}

// cutPartID splits the query ID of a packet of an answer into the ID of the
// answer and the number of the packet, which may be unnumbered. A plain number may be either.
func cutPartID(queryID string) (id string, n int, plain bool) {
	id, text, dotted := strings.Cut(queryID, ".")
	if !dotted {
		id, text = "", queryID
	}
	number, ok := pairs.ParseNumber(text)
	if !ok || number < 0 || number > MaxPackets {
		return id, unnumbered, false
	}
	return id, int(number), !dotted
}
