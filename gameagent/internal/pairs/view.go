package pairs

import (
	"strconv"
	"strings"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/internal/wire"
)

// View returns a server in the common form, with the pairs of all set fields and of extra
// as rules. Names are as on the wire.
func View[P Pair](keys []Key, fields []any, extra []P) (v lobbywire.View) {
	for i, k := range keys {
		if !IsSet(fields[i]) {
			continue
		}
		wired, n := valueOf(fields[i])
		text := lobbywire.UTF8(wired)
		v.Rules = append(v.Rules, lobbywire.Rule{Key: k.Wire, Value: text})
		switch k.Wire {
		case "sessionname", "hostname":
			v.Name = text
		case "gamename", "product":
			v.Game = text
		case "level", "mapname":
			v.Map = text
		case "gametype":
			v.Mode = text
		case "version", "gamever":
			v.Version = text
		case "hostport":
			v.Port = uint16(n)
		case "players", "numplayers":
			v.Players = wire.Count(n)
		case "maxplayers":
			v.Max = wire.Count(n)
		case "password":
			v.Password = new(n != 0)
		}
	}
	for _, e := range extra {
		p := pair(e)
		if v.Bots == nil && strings.EqualFold(p.Key, "numbots") {
			if n := wire.Number(p.Value); n != nil {
				v.Bots = wire.Count(int64(*n))
			}
		}
		v.Rules = append(v.Rules, lobbywire.Rule{Key: lobbywire.UTF8(p.Key), Value: lobbywire.UTF8(p.Value)})
	}
	return v
}

// valueOf returns the text of a set field as on the wire, and its number if it is one.
func valueOf(field any) (text string, n int64) {
	if s, ok := field.(*string); ok {
		return *s, 0
	}
	n = Number(field)
	return strconv.FormatInt(n, 10), n
}

// All yields the pairs of all fields that are set, and then extra.
func All[P Pair](keys []Key, fields []any, extra []P, yield func(key, value string) bool) (more bool) {
	for i, k := range keys {
		if !IsSet(fields[i]) {
			continue
		}
		if value, _ := valueOf(fields[i]); !yield(k.Wire, value) {
			return false
		}
	}
	for _, e := range extra {
		if p := pair(e); !yield(p.Key, p.Value) {
			return false
		}
	}
	return true
}

// Roster returns the players in the common form. If no player is listed, they are unknown
// unless count is 0.
func Roster[E any](players []E, count *int, view func(p *E) lobbywire.Player) []lobbywire.Player {
	if len(players) == 0 && (count == nil || *count > 0) {
		return nil
	}
	roster := make([]lobbywire.Player, len(players))
	for i := range players {
		roster[i] = view(&players[i])
	}
	return roster
}

// Player returns a player in the common form; frags and ping are nil if they are unknown.
// The keys of extra have no index.
func Player[P Pair](name string, frags *int32, ping *int, extra []P) lobbywire.Player {
	v := lobbywire.Player{Name: lobbywire.UTF8(name)}
	if ping != nil {
		v.Ping = wire.Count(int64(*ping))
	}
	var kills *int
	if frags != nil {
		kills = new(int(*frags))
	}
	for _, e := range extra {
		p := pair(e)
		key := strings.ToLower(p.Key)
		switch {
		case key == "playername" && v.Name == "":
			v.Name = lobbywire.UTF8(p.Value)
		case key == "team" && v.Team == "":
			v.Team = lobbywire.UTF8(p.Value)
		case key == "score" && setNumber(&v.Score, wire.Score(p.Value)):
		case key == "frags" && setNumber(&kills, wire.Score(p.Value)):
		case key == "kills" && setNumber(&v.Kills, wire.Number(p.Value)):
		case key == "deaths" && setNumber(&v.Deaths, wire.Number(p.Value)):
		default:
			v.Rules = append(v.Rules, lobbywire.Rule{Key: lobbywire.UTF8(p.Key), Value: lobbywire.UTF8(p.Value)})
		}
	}
	if !setNumber(&v.Score, kills) {
		setNumber(&v.Kills, kills)
	}
	return v
}

// setNumber sets a number that is not known yet, and reports whether it has.
func setNumber(to **int, n *int) bool {
	if *to != nil || n == nil {
		return false
	}
	*to = n
	return true
}
