package querytools

import "fmt"

// Gamedig queries a type of server of gamedig, such as "battlefield2".
func Gamedig(kind string) Tool {
	return node("gamedig "+kind, "gamedig", fmt.Sprintf(`
const {GameDig} = require('gamedig');
const read = async (host, port) => {
	const s = await GameDig.query({type: %q, host, port, givenPortOnly: true});
	return {
		Name: s.name, Map: s.map, MaxPlayers: s.maxplayers, Raw: s.raw,
		Players: s.players.map(p => ({Name: p.name, Raw: p.raw})),
	};
};`, kind))
}
