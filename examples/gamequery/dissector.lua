-- A dissector for Wireshark 3.6 and later, printed by "gamequery dissector". It shows what
-- "gamequery explain" shows. Put it into the folder of personal Lua plugins.
--
-- The messages below are translated from the decoders of lobbywire. Where code() stands,
-- the rest of a message is shown as data. The rules for streams are written by hand.

local STOP = {} -- the error that ends decoding
local current   -- the reader in use
local steps     -- of loops, of the message
local MAX_STEPS = 100000
local MAX_BYTES = 64 -- that are shown of a field

local function code()
	current.coded = true
	error(STOP)
end

local function step()
	steps = steps + 1
	if steps > MAX_STEPS then code() end
end

-- GO
-- READER
-- GENERATED
-- decode reads bytes with one of the functions of a list, the first that fits. If bytes are the
-- start of a stream, open is true: what follows the message belongs to the next one.
local function decode(bytes, options, list, asked, open)
	local best
	for _, read in ipairs(list) do
		local r = newReader(bytes)
		r.asked, r.open, current, steps = asked, open, r, 0
		local ok, m = pcall(read, r, go.copy(options))
		if not ok and m ~= STOP then error(m, 0) end
		r.value = ok and m or nil
		if ok or best == nil or r.traced > best.traced then best = r end
		if ok or r.coded then break end
	end
	return best
end

local proto = Proto("lobbywire", "Game server protocols (lobbywire)")
local byName, kinds = {}, {}
for _, f in ipairs(fields) do
	kinds[f[1]] = f[2]
	byName[f[1]] = ProtoField[f[2]]("lobbywire." .. f[1], f[1])
end
local messageField = ProtoField.string("lobbywire.message", "message")
local dataField = ProtoField.bytes("lobbywire.data", "data")
local broken = ProtoExpert.new("lobbywire.error", "error", expert.group.MALFORMED, expert.severity.WARN)
local all = {messageField, dataField}
for _, f in pairs(byName) do all[#all + 1] = f end
proto.fields = all
proto.experts = {broken}

for _, p in ipairs(protocols) do
	local title = (p.stream and "TCP" or "UDP") .. " ports of " .. p.title
	proto.prefs[p.name] = Pref.range(title, p.ports, title, 65535)
end

proto.prefs.secrets = Pref.string("Secret keys of GameSpy games", "", "GAME=KEY, separated by commas")

local function add(tree, tvb, package, f)
	local range = tvb(f.off, f.len)
	local name = (package .. "." .. f.name:gsub("%[%d+%]", "")):lower()
	local field, item = byName[name], nil
	if field == nil then
		item = tree:add(range, f.name)
	elseif kinds[name] == "string" then
		item = tree:add(field, range, type(f.value) == "string" and f.value or f.shown)
	elseif f.value ~= nil then
		item = tree:add(field, range, f.value)
	else
		item = tree:add(field, range)
	end
	item:set_text(f.name .. " = " .. f.shown)
end

local json = Dissector.get("json")

local function show(r, tvb, pinfo, tree, protocol)
	local name = protocol.package .. "." .. (r.message or "Unknown")
	pinfo.cols.protocol = protocol.package:upper()
	pinfo.cols.info = name
	local top = tree:add(proto, tvb(), "lobbywire, " .. name)
	top:add(messageField, name):set_generated()
	for _, f in ipairs(r.fields) do
		if f.isJSON then
			json:call(tvb(f.off, f.len):tvb(), pinfo, top:add(tvb(f.off, f.len), f.name))
		else
			add(top, tvb, protocol.package, f)
		end
	end
	local rest = tvb:len() - r.traced
	if r.coded and rest > 0 then
		top:add(dataField, tvb(r.traced, rest))
	elseif r.failure then
		local f = r.failure
		local field = f.field == "" and "message" or f.field
		local item = top
		if rest > 0 then item = top:add(tvb(r.traced, rest), field) end
		item:add_proto_expert_info(broken, string.format("%s at byte %d: %s", field, f.off, f.text))
	elseif rest > 0 then
		top:add(tvb(r.traced, rest), "unread")
	end
end

-- The last request of each pair of addresses, and the one before each answer.
local requests, before = {}, {}

local function ends(pinfo)
	return tostring(pinfo.src) .. " " .. pinfo.src_port, tostring(pinfo.dst) .. " " .. pinfo.dst_port
end

local function dissect(tvb, pinfo, tree, protocol, toPort)
	local from, to = ends(pinfo)
	if not pinfo.visited then before[pinfo.number] = requests[to .. " " .. from] end
	local list = toPort and protocol.to or protocol.from
	local r = decode(tvb:raw(), protocol.options, list, before[pinfo.number])
	if toPort and not pinfo.visited then requests[from .. " " .. to] = r.value end
	show(r, tvb, pinfo, tree, protocol)
	return tvb:len()
end

-- STREAMS
local chosen = {udp = {}, tcp = {}} -- protocols by port

local function dispatch(by, over, tvb, pinfo, tree)
	if tvb:len() == 0 then return 0 end
	if by[pinfo.dst_port] then return over(tvb, pinfo, tree, by[pinfo.dst_port], true) end
	if by[pinfo.src_port] then return over(tvb, pinfo, tree, by[pinfo.src_port], false) end
	return 0
end

function proto.dissector(tvb, pinfo, tree)
	if pinfo.port_type == 2 then return dispatch(chosen.tcp, follow, tvb, pinfo, tree) end
	return dispatch(chosen.udp, dissect, tvb, pinfo, tree)
end

-- Ports that are in no preference are found by their first bytes: requests that start with a
-- magic number, SQP queries of a known version, and messages over TCP that nothing else begins like.
local servers = {}

local function isSQPQuery(r) return r.message == "QueryRequest" and r.off == #r.b and r.value.Chunks < 32 end

proto:register_heuristic("udp", function(tvb, pinfo, tree)
	if tvb:len() == 0 then return false end
	local from, to = ends(pinfo)
	if servers[from] then
		dissect(tvb, pinfo, tree, servers[from], false)
		return true
	end
	for _, p in ipairs(protocols) do
		local r = p.to and decode(tvb:raw(), p.options, p.to)
		if r and r.value and (r.constants > 1 or isSQPQuery(r)) then
			servers[to] = p
			dissect(tvb, pinfo, tree, p, true)
			return true
		end
	end
	return false
end)

-- begins has, for protocols over TCP, how their first message is recognized. A greeting comes
-- from the server.
local begins = {
	sb2 = function(bytes, p) return sb2Frame(bytes, false, {p.stream.Request}), "ListRequest" end,
	legacylist = function(_, p) return {list = {p.stream.LegacyGreeting}}, "LegacyGreeting", true end,
	bomberman = function(bytes) return bytes:find('^%d+{') and flows.bomberman.to(), "Message" end,
	wzjson = function(bytes) return bytes:find('^{%s*"lobbyquery"') and flows.wzjson.to(), "Message" end,
	warzone = function(bytes, p) return bytes:find("^%a%a%a%a%z") and flows.warzone.to({}, bytes) end,
	wztext = function(bytes, p)
		return bytes:find("^%u+[\t ][^\n]*\n") and flows.wztext.to({}, bytes, false, p.stream)
	end,
}

local found = {} -- protocols and servers by stream

proto:register_heuristic("tcp", function(tvb, pinfo, tree)
	if tvb:len() == 0 then return false end
	local from, to = ends(pinfo)
	local stream = streamNumber().value
	local bytes = not found[stream] and tvb:raw()
	for _, p in ipairs(bytes and protocols or {}) do
		local part, name, isGreeting
		if begins[p.name] then part, name, isGreeting = begins[p.name](bytes, p) end
		local r = part and receive(part, bytes, {}, p.options, false)
		if r and r.value and (name or r.message) == r.message and r.message ~= "Unknown" then
			found[stream] = {protocol = p, server = isGreeting and from or to}
			break
		end
	end
	if not found[stream] then return false end
	follow(tvb, pinfo, tree, found[stream].protocol, found[stream].server == to)
	return true
end)

-- choose registers the ports of the preferences.
local function choose()
	for transport, by in pairs(chosen) do
		for port in pairs(by) do DissectorTable.get(transport .. ".port"):remove(port, proto) end
	end
	chosen = {udp = {}, tcp = {}}
	for _, p in ipairs(protocols) do
		local by = p.stream and chosen.tcp or chosen.udp
		for low, high in (proto.prefs[p.name] .. ","):gmatch("(%d+)%-?(%d*),") do
			for port = tonumber(low), tonumber(high) or tonumber(low) do by[port] = by[port] or p end
		end
	end
	for transport, by in pairs(chosen) do
		for port in pairs(by) do DissectorTable.get(transport .. ".port"):add(port, proto) end
	end
end

function proto.prefs_changed()
	secrets = {}
	for game, secret in proto.prefs.secrets:gmatch("([^=,%s]+)=([^,%s]+)") do secrets[game] = secret end
	choose()
end

function proto.init()
	requests, before, servers = {}, {}, {}
	links, known, found = {}, {}, {}
end

choose()
