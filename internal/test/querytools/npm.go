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

// minecraft returns a tool for Minecraft: an npm package and a script that defines
// query. The script requests the full stat and the basic stat, and fails if one of
// them is missing. The rule "basic" is the name in the basic stat.
func minecraft(pkg, script string) Tool {
	return node(pkg, pkg, script+`
const read = async (host, port) => {
	const [name, map, max, players, basic, online] = await query(host, port);
	return {
		Name: name, Map: map, MaxPlayers: +max,
		Players: players.map(Name => ({Name})),
		Raw: {basic, numplayers: online},
	};
};`)
}

// MinecraftServerUtil queries with the npm package minecraft-server-util.
func MinecraftServerUtil() Tool {
	return minecraft("minecraft-server-util", `
const util = require('minecraft-server-util');
const query = async (host, port) => {
	const options = {enableSRV: false, timeout: 3000};
	const full = await util.queryFull(host, port, options);
	const basic = await util.queryBasic(host, port, options);
	return [full.motd.clean, full.map, full.players.max, full.players.list, basic.motd.clean, full.players.online];
};`)
}

// MinecraftQuery queries with the npm package minecraft-query.
func MinecraftQuery() Tool {
	return minecraft("minecraft-query", `
const Query = require('minecraft-query');
const query = async (host, port) => {
	const q = new Query({host, port, timeout: 3000});
	try {
		const full = await q.fullStat();
		const basic = await q.basicStat();
		return [full.motd, full.map, full.max_players, full.players, basic.motd, full.online_players];
	} finally {
		q.close();
	}
};`)
}

// MCQuery queries with the npm package mcquery.
func MCQuery() Tool {
	return minecraft("mcquery", `
const Query = require('mcquery');
const query = async (host, port) => {
	const q = new Query(host, port);
	const call = f => new Promise((done, fail) => f.call(q, (err, stat) => err ? fail(err) : done(stat)));
	await q.connect();
	const full = await call(q.full_stat);
	const basic = await call(q.basic_stat);
	q.close();
	return [full.hostname, full.map, full.maxplayers, full.player_ || [], basic.MOTD, full.numplayers];
};`)
}
