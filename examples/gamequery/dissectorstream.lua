-- Streams. What is known of a connection does not change: each message makes another value of
-- it, so that a packet can be shown again. The values before each packet are kept.
local links, known = {}, {}

-- with returns a changed link.
local function with(link, changes)
	local new = go.copy(link)
	for k, v in pairs(changes) do new[k] = v end
	return new
end

-- flows has, for each protocol, what clients and servers send. A function gets the link, the bytes
-- that are not shown yet and, at the end of the stream, true. It returns nothing if a message
-- needs more bytes, or a part:
--   list      how it may be read
--   size      of the frame, if it has one
--   next      where to continue if the message is broken
--   bytes     if they are not the ones of the stream
--   untilEnd  the message may end with the stream only
--   after     returns the changed link, if it does
local flows = {}

-- frame returns a part of n bytes, or of less at the end of the stream.
local function frame(bytes, n, last, list)
	if n > #bytes and not last then return nil end
	return {list = list, size = math.min(n, #bytes)}
end

-- receive reads a part. It returns the reader, the size of the message and the changed link, or
-- no reader if more bytes are needed. Without a link, the rest of the stream is lost.
local function receive(part, bytes, link, options, last)
	bytes = part.bytes or bytes
	if part.size then bytes = bytes:sub(1, part.size) end
	local r = decode(bytes, part.options or options, part.list, nil, part.size == nil)
	if r.failure and r.failure.text == go.lobbywire_ErrTruncated and part.size == nil and not last then return nil end
	if r.failure or r.coded then
		-- Otherwise, where the next message starts is unknown.
		local next = part.size or part.next and part.next >= r.traced and part.next
		if part.size and part.bytes then return r, next, part.after(r) end -- the cipher continues
		return r, next or #bytes, next and link
	end
	if part.untilEnd and not last and not part.untilEnd(r.value) then return nil end
	if part.after == nil then return r, part.size or r.off, link end
	return r, part.size or r.off, part.after(r)
end

local finished = Field.new("tcp.flags.fin")
local streamNumber = Field.new("tcp.stream")
local UNTIL_END = 0x0ffffffe

local function follow(tvb, pinfo, tree, protocol, toPort)
	local stream = streamNumber().value
	local place = pinfo.number .. ":" .. tvb:offset()
	if not pinfo.visited then known[place] = links[stream] end
	local link = known[place] or {}
	local last = pinfo.can_desegment == 0 or finished().value
	local direction = toPort and "to" or "from"
	local flow = flows[protocol.name][direction]
	local at = 0
	while at < tvb:len() do
		local bytes = tvb:raw(at)
		if link[direction] == "lost" then
			tree:add(proto, tvb(at), "lobbywire"):add(dataField, tvb(at))
			break
		end
		local part = flow(link, bytes, last, protocol.stream)
		local r, size, after
		if part then r, size, after = receive(part, bytes, link, protocol.options, last) end
		if r == nil then
			pinfo.desegment_offset = at
			pinfo.desegment_len = part and part.untilEnd and UNTIL_END or DESEGMENT_ONE_MORE_SEGMENT
			break
		end
		local message = tvb(at, size):tvb()
		if part.bytes then message = ByteArray.new(part.bytes:sub(1, size), true):tvb("Decrypted") end
		show(r, message, pinfo, tree, protocol)
		link, at = after or with(link, {[direction] = "lost"}), at + size
	end
	if not pinfo.visited then links[stream] = link end
	return tvb:len()
end

-- The server browsing of GameSpy. What masters send after a head is encrypted as package sb2
-- describes. A cipher does not change: decrypting returns the next one.
local secrets = {} -- of games

-- exclusive has the exclusive or of numbers up to 15.
local exclusive = {}
for x = 0, 15 do
	exclusive[x] = {}
	for y = 0, 15 do exclusive[x][y] = go.bxor(x, y) end
end

local function xor(x, y)
	local low, lower = x % 16, y % 16
	return exclusive[(x - low) / 16][(y - lower) / 16] * 16 + exclusive[low][lower]
end

local function newCipher(secret, client, master)
	local key = {client:byte(1, -1)}
	for i = 0, #master - 1 do
		local at = i * secret:byte(i % #secret + 1) % #key + 1
		key[at] = xor(key[at], xor(key[i % #key + 1], master:byte(i + 1)))
	end
	local cards, at, sum = {}, 1, 0
	for i = 0, 255 do cards[i] = i end
	local function draw(limit)
		if limit == 0 then return 0 end
		local size = 2 -- numbers below it are drawn
		while size <= limit do size = size * 2 end
		local draws = 0
		while true do
			sum = (cards[sum] + key[at]) % 256
			at = at + 1
			if at > #key then at, sum = 1, (sum + #key) % 256 end
			draws = draws + 1
			local n = sum % size
			if draws > 11 then n = n % limit end
			if n <= limit then return n end
		end
	end
	for i = 255, 0, -1 do
		local n = draw(i)
		cards[i], cards[n] = cards[n], cards[i]
	end
	return {cards = cards, rotor = cards[1], ratchet = cards[3], avalanche = cards[5], plain = cards[7],
		ciphered = cards[sum]}
end

local function decrypt(cipher, bytes)
	local cards = go.copy(cipher.cards)
	local rotor, ratchet, avalanche = cipher.rotor, cipher.ratchet, cipher.avalanche
	local plain, ciphered = cipher.plain, cipher.ciphered
	local out = {}
	for i = 1, #bytes do
		ratchet = (ratchet + cards[rotor]) % 256
		rotor = (rotor + 1) % 256
		local swapped = cards[ciphered]
		cards[ciphered] = cards[ratchet]
		cards[ratchet] = cards[plain]
		cards[plain] = cards[rotor]
		cards[rotor] = swapped
		avalanche = (avalanche + cards[swapped]) % 256
		local first = cards[(cards[avalanche] + cards[rotor]) % 256]
		local second = cards[cards[(cards[plain] + cards[ciphered] + cards[ratchet]) % 256]]
		ciphered = bytes:byte(i)
		plain = xor(ciphered, xor(first, second))
		out[i] = string.char(plain)
	end
	return table.concat(out),
		{cards = cards, rotor = rotor, ratchet = ratchet, avalanche = avalanche, plain = plain, ciphered = ciphered}
end

-- decrypted returns the bytes of the link in plain text. It decrypts none of them twice: the link
-- keeps what is ahead.
local function decrypted(link, bytes)
	local ahead = link.ahead
	if #bytes > #ahead.plain then
		local more, cipher = decrypt(ahead.cipher, bytes:sub(#ahead.plain + 1))
		link.ahead = {plain = ahead.plain .. more, cipher = cipher}
	end
	return link.ahead.plain:sub(1, #bytes)
end

-- sb2Frame returns a message with its length before it.
local function sb2Frame(bytes, last, list)
	return frame(bytes, #bytes < 2 and 2 or math.max(number(bytes:sub(1, 2)), 2), last, list)
end

local function encrypted(r)
	go.message("Encrypted")
	r:Skip(r:Len(), "encrypted")
end

flows.sb2 = {
	to = function(link, bytes, last, read)
		local part = sb2Frame(bytes, last, {read.Request})
		if part then
			part.after = function(r) return r.message == "ListRequest" and with(link, {request = r.value}) or link end
		end
		return part
	end,

	from = function(link, bytes, last, read)
		local request = link.request
		local secret = request and secrets[request.FromGame]
		if not link.headed then
			local function after(r)
				local cipher = secret and newCipher(secret, request.Challenge, r.value.Challenge)
				return with(link, {headed = true, ahead = cipher and {plain = "", cipher = cipher}})
			end
			return {list = {read.Head}, after = after}
		end
		if not link.ahead then return {size = #bytes, list = {encrypted}} end
		local plain = decrypted(link, bytes)
		local part
		if link.keys then
			part = sb2Frame(plain, last, {function(r, o)
				o.Keys = link.keys
				return read.Push(r, o)
			end})
		else
			local noList = go.band(request.Options, sb2.OptionNoList) > 0
			-- Without this text, the list has not ended. Reading it each time would take long.
			local mayEnd = noList or last or plain:find(sb2.endIP, 1, true) or #plain < 4096
			part = mayEnd and {list = {function(r, o)
				o.NoList = noList
				return read.List(r, o)
			end}}
		end
		if not part then return nil end
		part.bytes = plain
		part.after = function(r)
			local ahead = {plain = link.ahead.plain:sub((part.size or r.off) + 1), cipher = link.ahead.cipher}
			local keys = link.keys
			if r.value and (not keys or r.message == "PushKeys") then keys = r.value.Keys or {n = 0} end
			return with(link, {keys = keys, ahead = ahead})
		end
		return part
	end,
}

-- The lists of legacy masters: a greeting, a request, a list.
flows.legacylist = {
	to = function(link, bytes, last, read)
		local function after(r) return with(link, {request = r.message, form = r.value.List}) end
		return {list = {read.ToListPort}, after = after}
	end,

	from = function(link, bytes, last, read)
		local mark = gameagent.legacyEnd
		if link.request == nil then
			local greeting = {list = {read.LegacyGreeting}, after = function() return with(link, {greeted = true}) end}
			return not link.greeted and greeting or nil
		end
		local list = link.form == gameagent.LegacyListCompact and read.LegacyServerList or read.LegacyAddressList
		if link.request == "LegacySyncRequest" then list = read.LegacySyncList end
		-- An end mark before more bytes is the one of the greeting.
		local isLate = #bytes > #mark and bytes:sub(1, #mark) == mark
		-- Without its own end mark, the list has not ended. Reading it each time would take long.
		if not last and not bytes:find(mark, isLate and #mark or 1, true) then return nil end
		return {list = {function(r, o)
			if isLate then r:Skip(#mark, "ignored") end
			return list(r, o)
		end}, after = function() end}
	end,
}

-- Lobbies of Warzone 2100, as HostStream and LobbyStream read them.
flows.warzone = {
	to = function(link, bytes, last)
		local function read(r, o)
			if link.ended then r:Skip(1, "ignored") end
			if link.record then
				go.message("Update")
				return warzone.readUpdate(r, o, link.record)
			end
			r:Skip(warzone.strays(r:Peek()), "ignored")
			r.start = r.off
			return warzone.readRequest(r, o)
		end
		local function after(r)
			local m = r.message
			local game = m == "AddGame" and r.value.Game
			return m ~= "Unknown" and with(link, {
				request = m,
				wantsID = link.wantsID or m == "GameIDRequest",
				record = game and warzone.Layout_isRecord(game.Layout) and game.Layout or link.record,
				ended = not link.record and m ~= "AddGame" and m ~= "Update" and r.off - r.start == warzone.commandLetters,
			})
		end
		return {list = {read}, after = after}
	end,

	from = function(link, bytes, last, read)
		if link.request == "ListRequest" then
			return {list = {read.ListReply}, untilEnd = function(m) return m.Batches ~= nil end}
		end
		if link.wantsID then
			return {list = {read.GameIDReply}, after = function() return with(link, {wantsID = false}) end}
		end
		if link.request == "JoinRequest" then return {list = {read.Game}} end
		return {list = {read.Status}}
	end,
}

-- Hosts of Warzone 2100.
flows.warzonehost = {
	to = function(link, bytes, last, read)
		return {list = {bytes:byte() == 0 and read.AliveRequest or read.Request}}
	end,
	from = function(link, bytes, last, read)
		local start = math.min(#bytes, #warzone.magic)
		return {list = {bytes:sub(1, start) == warzone.magic:sub(1, start) and read.AliveReply or read.Game}}
	end,
}

-- The proposals for Warzone 2100: lines or frames, and lists of them.
local function proposal(size)
	return {
		to = function(link, bytes, last, read) return frame(bytes, size(bytes), last, {read.Request}) end,
		from = function(link, bytes, last, read)
			local part = frame(bytes, size(bytes), last, {read.Response})
			if part then part.size, part.next = nil, part.size end -- a list has more frames
			return part
		end,
	}
end

flows.wztext = proposal(function(bytes) return bytes:find("\n", 1, true) or wzproposal.MaxLine end)
flows.wzbinary = proposal(function(bytes) return wzproposal.headerSize + (bytes:byte(2) or 0) end)

-- JSON. What a message has is shown by Wireshark.
local function object(r, n)
	take(r, n, "message")
	note(r, n, "message", "JSON")
	r.fields[#r.fields].isJSON = true
end

-- bombermanFrame reads a length, an object and a newline, as a cutter of package bomberman does.
local function bombermanFrame(r)
	go.message("Message")
	local p = r:Peek()
	local blanks, digits = p:match("^([ \t\r\n]*)(%d*)")
	local start, length = #blanks + #digits, tonumber(digits)
	local function wait(field, at) r:Fail(go.lobbywire_ErrTruncated, field, at) end
	if length and length > bomberman.MaxPayload + 1 then
		r:Fail(go.wire_Over(bomberman.MaxPayload + 1), "length", #blanks)
	end
	if start == #p then wait("length", #blanks) end
	if length == nil then r:Refuse("length", start, "is not a number") end
	if length < bomberman.minLength then r:Refuse("length", #blanks, "is the length of an empty message") end
	r:Text(start, "length")
	local last = start + length - 1 -- where the newline should be
	if last >= #p then wait("message", start) end
	local stop, ending = last, p:sub(last + 1, last + 2):match("^\r?\n")
	if p:sub(last + 1) == "\r" then wait("newline", last) end
	if ending == nil then -- Java programs count units of UTF-16
		stop = start
		local units = length - 1
		while units > 0 do
			if stop == #p then wait("newline", last) end
			local c, n = rune(p, stop + 1)
			if c == nil and #p - stop < 4 then wait("newline", last) end
			if c == nil or c > 0xffff and units == 1 then
				r:Refuse("newline", last, "is not where the length requires it")
			end
			units, stop = units - (c > 0xffff and 2 or 1), stop + n
		end
		if stop == #p then wait("newline", last) end
		if p:byte(stop + 1) ~= 10 then r:Refuse("newline", last, "missing") end
		ending = "\n"
	end
	object(r, stop - start)
	r:Skip(#ending, "newline")
	return {}
end

flows.bomberman = {}
function flows.bomberman.to() return {list = {bombermanFrame}} end
flows.bomberman.from = flows.bomberman.to

-- wzjsonFrame reads an object, as a Framer of package wzjson does.
local function wzjsonFrame(r)
	go.message("Message")
	local p = r:Peek()
	local start = p:find("[^ \t\r\n]") or #p + 1
	if start <= #p and p:sub(start, start) ~= "{" then r:Refuse("", start - 1, "is not an object") end
	local at, depth, inText = start, 0, false
	repeat
		local i = p:find(inText and '["\\\0-\31]' or '["{}]', at)
		if i == nil or i > wzjson.MaxFrame then
			if #p >= wzjson.MaxFrame then r:Fail(go.wire_Over(wzjson.MaxFrame), "", start - 1) end
			r:Fail(go.lobbywire_ErrTruncated, "", start - 1)
		end
		local c = p:sub(i, i)
		at = i + 1
		if c == '"' then
			inText = not inText
		elseif c == "\\" then
			at = i + 2
		elseif c == "{" then
			depth = depth + 1
		elseif c == "}" then
			depth = depth - 1
		else
			r:Refuse("", start - 1, "has a control character in a text")
		end
	until depth == 0 and not inText
	r:Skip(start - 1, "blanks")
	object(r, at - start)
	return {}
end

flows.wzjson = {}
function flows.wzjson.to() return {list = {wzjsonFrame}} end
flows.wzjson.from = flows.wzjson.to

