package querytools

// The npm packages for Minecraft request the full stat and the basic stat, and fail if
// one of them is missing. The rule "basic" is the name in the basic stat.

// MinecraftServerUtil queries with the npm package minecraft-server-util.
func MinecraftServerUtil() Tool {
	return node("minecraft-server-util", "minecraft-server-util", `
const util = require('minecraft-server-util');
const read = async (host, port) => {
	const options = {enableSRV: false, timeout: 3000};
	const full = await util.queryFull(host, port, options);
	const basic = await util.queryBasic(host, port, options);
	return {
		Name: full.motd.clean, Map: full.map, MaxPlayers: full.players.max,
		Players: full.players.list.map(Name => ({Name})),
		Raw: {basic: basic.motd.clean, numplayers: full.players.online},
	};
};`)
}

// MinecraftQuery queries with the npm package minecraft-query.
func MinecraftQuery() Tool {
	return node("minecraft-query", "minecraft-query", `
const Query = require('minecraft-query');
const read = async (host, port) => {
	const q = new Query({host, port, timeout: 3000});
	try {
		const full = await q.fullStat();
		const basic = await q.basicStat();
		return {
			Name: full.motd, Map: full.map, MaxPlayers: +full.max_players,
			Players: full.players.map(Name => ({Name})),
			Raw: {basic: basic.motd, numplayers: full.online_players},
		};
	} finally {
		q.close();
	}
};`)
}

// MCQuery queries with the npm package mcquery.
func MCQuery() Tool {
	return node("mcquery", "mcquery", `
const Query = require('mcquery');
const read = async (host, port) => {
	const q = new Query(host, port);
	const call = f => new Promise((done, fail) => f.call(q, (err, stat) => err ? fail(err) : done(stat)));
	await q.connect();
	const full = await call(q.full_stat);
	const basic = await call(q.basic_stat);
	q.close();
	return {
		Name: full.hostname, Map: full.map, MaxPlayers: +full.maxplayers,
		Players: (full.player_ || []).map(Name => ({Name})),
		Raw: {basic: basic.MOTD, numplayers: full.numplayers},
	};
};`)
}
