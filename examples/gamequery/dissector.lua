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

local go = {} -- what translated code calls

function go.message(name) current.message = current.message or name end

-- go.asked returns a field of the request before an answer, 255 if there was none.
function go.asked(field) return current.asked and current.asked[field] or 255 end

function go.len(x)
	if x == nil then return 0 end
	return type(x) == "string" and #x or x.n
end

function go.byte(s, i) return s:byte(i + 1) or code() end

function go.slice(x, low, high)
	high = high or go.len(x)
	if low < 0 or high < low or high > go.len(x) then code() end
	if x == nil then return nil end
	if type(x) == "string" then return x:sub(low + 1, high) end
	local part = {n = high - low}
	for i = 1, part.n do part[i] = x[low + i] end
	return part
end

function go.make(n, zero)
	local list = {n = n}
	for i = 1, n do
		step()
		list[i] = zero()
	end
	return list
end

function go.append(list, x)
	if type(list) == "string" then code() end
	list = list or {n = 0}
	list.n = list.n + 1
	list[list.n] = x
	return list
end

function go.concat(list, other)
	local all = go.slice(list or {n = 0}, 0)
	for i = 1, go.len(other) do go.append(all, other[i]) end
	return all
end

-- go.assign makes a structure equal to another.
function go.assign(x, y)
	for k in pairs(x) do x[k] = nil end
	for k, v in pairs(y) do x[k] = v end
end

function go.copy(x)
	if type(x) ~= "table" then return x end
	local y = {}
	for k, v in pairs(x) do y[k] = v end
	return y
end

go.min = math.min
go.max = math.max

-- A pointer to a field has it as its value.
function go.pointer(kind, get, set)
	return setmetatable({}, {
		__index = function(_, k) return k == "type" and kind or get() end,
		__newindex = function(_, _, v) set(v) end,
	})
end

function go.assert(x, kind)
	if x.type == kind then return x, true end
	return nil, false
end

function go.cap() return math.huge end

-- go.fill returns an array with other bytes at its start.
function go.fill(to, from) return from:sub(1, #to) .. to:sub(#from + 1) end

-- go.copied only counts what it would copy: what decoders copy is their result.
function go.copied(to, from) return math.min(go.len(to), go.len(from)) end

function go.int32(x) return x < 2^31 and x or x - 2^32 end

local function bitwise(x, y, keep)
	local all, bit = 0, 1
	while x > 0 or y > 0 do
		if keep(x % 2 == 1, y % 2 == 1) then all = all + bit end
		x, y, bit = math.floor(x / 2), math.floor(y / 2), bit * 2
	end
	return all
end

function go.band(x, y) return bitwise(x, y, function(a, b) return a and b end) end
function go.bor(x, y) return bitwise(x, y, function(a, b) return a or b end) end
function go.bxor(x, y) return bitwise(x, y, function(a, b) return a ~= b end) end
function go.bclear(x, y) return bitwise(x, y, function(a, b) return a and not b end) end
function go.shl(x, n) return x * 2^n end
function go.div(x, y) return math.floor(x / y) end

function go.bytes_IndexByte(s, c) return (s:find(string.char(c), 1, true) or 0) - 1 end
function go.bytes_Index(s, part) return (s:find(part, 1, true) or 0) - 1 end
function go.bytes_Contains(s, part) return s:find(part, 1, true) ~= nil end
function go.bytes_HasPrefix(s, start) return s:sub(1, #start) == start end
function go.bytes_HasSuffix(s, stop) return s:sub(math.max(#s - #stop, 0) + 1) == stop end
function go.bytes_Clone(s) return s end
go.strings_HasPrefix = go.bytes_HasPrefix
go.strings_HasSuffix = go.bytes_HasSuffix

function go.bytes_LastIndexByte(s, c)
	for i = #s, 1, -1 do
		if s:byte(i) == c then return i - 1 end
	end
	return -1
end

go.strings_LastIndexByte = go.bytes_LastIndexByte
go.strings_IndexByte = go.bytes_IndexByte

function go.bytes_LastIndex(s, part)
	for i = #s - #part + 1, 1, -1 do
		if s:sub(i, i + #part - 1) == part then return i - 1 end
	end
	return -1
end

function go.bytes_IndexAny(s, any)
	for i = 1, #s do
		if any:find(s:sub(i, i), 1, true) then return i - 1 end
	end
	return -1
end

function go.bytes_TrimLeft(s, any)
	local i = 1
	while i <= #s and any:find(s:sub(i, i), 1, true) do i = i + 1 end
	return s:sub(i)
end

function go.bytes_Trim(s, any) return go.bytes_TrimLeft(go.bytes_TrimLeft(s, any):reverse(), any):reverse() end

function go.bytes_Count(s, part)
	if part == "" then code() end
	local n, at = 0, 1
	while true do
		local from, to = s:find(part, at, true)
		if from == nil then return n end
		n, at = n + 1, to + 1
	end
end

function go.bytes_Cut(s, sep)
	local from, to = s:find(sep, 1, true)
	if from == nil then return s, "", false end
	return s:sub(1, from - 1), s:sub(to + 1), true
end

go.strings_Cut = go.bytes_Cut

function go.bytes_CutPrefix(s, start)
	if go.bytes_HasPrefix(s, start) then return s:sub(#start + 1), true end
	return s, false
end


function go.bytes_TrimPrefix(s, start) return (go.bytes_CutPrefix(s, start)) end

function go.bytes_TrimSuffix(s, stop)
	return go.bytes_HasSuffix(s, stop) and s:sub(1, #s - #stop) or s
end

go.strings_TrimPrefix = go.bytes_TrimPrefix

go.strings_Count = go.bytes_Count

function go.strings_SplitSeq(s, sep) return (s .. sep):gmatch("([^" .. sep .. "]*)" .. sep) end

function go.strings_IndexFunc(s, is)
	for i = 1, #s do
		if is(s:byte(i)) then return i - 1 end
	end
	return -1
end

function go.strings_EqualFold(s, t) return s:lower() == t:lower() end

function go.slices_Equal(list, other)
	for i = 1, math.max(go.len(list), go.len(other)) do
		if list[i] ~= other[i] then return false end
	end
	return true
end

function go.slices_Index(list, x)
	for i = 1, go.len(list) do
		if list[i] == x then return i - 1 end
	end
	return -1
end

function go.slices_ContainsFunc(list, is) return go.slices_IndexFunc(list, is) >= 0 end

function go.slices_IndexFunc(list, is)
	for i = 1, go.len(list) do
		if is(list[i]) then return i - 1 end
	end
	return -1
end

function go.bytes_TrimRight(s, any) return go.bytes_TrimLeft(s:reverse(), any):reverse() end
go.strings_Trim = go.bytes_Trim
go.strings_ToLower = string.lower
function go.strconv_Itoa(n) return string.format("%d", n) end
go.strings_Contains = go.bytes_Contains
function go.strconv_ParseInt(s, base, bits)
	local v = base == 10 and s:match("^[+-]?%d+$") and tonumber(s)
	if v and v >= -2^(bits - 1) and v < 2^(bits - 1) then return v, nil end
	return 0, "invalid"
end

function go.slices_Contains(list, x) return go.slices_Index(list, x) >= 0 end

-- An address is a table that has the number of its bits.
local function address4(s)
	local n = 0
	for part in (s .. "."):gmatch("(%d*)%.") do
		n = n + 1
		if part == "" or #part > 3 or tonumber(part) > 255 or #part > 1 and part:sub(1, 1) == "0" then return nil end
	end
	return n == 4 and s:find("^[%d.]+$") and {bits = 32, zone = ""} or nil
end

local function address6(s)
	local text, zone = s:match("^([^%%]*)%%(.+)$")
	text = text or s
	local last = text:match("[^:]*$")
	local words, compressed = 0, select(2, text:gsub("::", ""))
	if last:find(".", 1, true) then
		if not address4(last) then return nil end
		text, words = text:sub(1, -#last - 1) .. "0", 1 -- and one for the 0
	end
	if not text:find(":", 1, true) or not text:find("^[%x:]+$") or text:find(":::", 1, true) or compressed > 1 or
		text:find("^:[^:]") or text:find("[^:]:$") then
		return nil
	end
	for word in text:gmatch("%x+") do
		words = words + 1
		if #word > 4 then return nil end
	end
	if compressed == 0 and words ~= 8 or compressed == 1 and words > 7 then return nil end
	return {bits = 128, zone = zone or ""}
end

function go.netip_ParseAddr(s)
	local a = address4(s) or address6(s)
	if a == nil then return {bits = 0, zone = ""}, "invalid" end
	return a, nil
end

function go.netip_ParseAddrPort(s)
	local host, port = s:match("^(.*):(%d+)$")
	local inBrackets = host and host:match("^%[(.*)%]$")
	local a = inBrackets and address6(inBrackets) or host and address4(host)
	if a == nil or #port > 5 and port:find("^0*%d%d?%d?%d?%d?$") == nil or tonumber(port) > 65535 then
		return go.netip_AddrPortFrom({bits = 0, zone = ""}, 0), "invalid"
	end
	return go.netip_AddrPortFrom(a, tonumber(port)), nil
end

function go.netip_AddrPortFrom(addr, port) return {addr = addr, port = port} end
function go.netip_AddrPort_Addr(a) return a.addr end
function go.netip_AddrPort_Port(a) return a.port end
function go.netip_Addr_Is4(a) return a.bits == 32 end
function go.netip_Addr_Zone(a) return a.zone end
function go.math_Float32bits(x) return x end

go.lobbywire_ErrTruncated = "truncated"
go.lobbywire_ErrTrailing = "trailing data"

function go.cmp_Or(x, y) return x ~= "" and x or y end
function go.wire_Limit(n, byDefault) return n == 0 and byDefault or math.max(n, 0) end
function go.wire_Unsupported(why) return "unsupported: " .. why end
function go.wire_Invalid(why) return "invalid value: " .. why end
function go.wire_TooLarge(why) return "limit exceeded: " .. why end
function go.wire_Exceeded(n, most) return string.format("limit exceeded: %d, at most %d", n, most) end
function go.wire_Outside(low, high) return string.format("invalid value: is not from %d to %d", low, high) end
function go.wire_Over(n) return "limit exceeded: more than " .. string.format("%d", n) end

-- quote returns s in quotes and ASCII, and whether it is UTF-8 without zero bytes.
local escapes = {["\a"] = "\\a", ["\b"] = "\\b", ["\f"] = "\\f", ["\n"] = "\\n", ["\r"] = "\\r", ["\t"] = "\\t",
	["\v"] = "\\v", ['"'] = '\\"', ["\\"] = "\\\\"}

-- rune returns the number and the size of the character at i, nil if it is not UTF-8.
local function rune(s, i)
	local a, b, c, d = s:byte(i, i + 3)
	local function tail(x) return x and x >= 0x80 and x < 0xc0 end
	if a < 0x80 then return a, 1 end
	if a >= 0xc2 and a < 0xe0 and tail(b) then return (a - 0xc0) * 64 + b - 0x80, 2 end
	if a >= 0xe0 and a < 0xf0 and tail(b) and tail(c) then
		local r = ((a - 0xe0) * 64 + b - 0x80) * 64 + c - 0x80
		if r >= 0x800 and (r < 0xd800 or r > 0xdfff) then return r, 3 end
	end
	if a >= 0xf0 and a < 0xf5 and tail(b) and tail(c) and tail(d) then
		local r = (((a - 0xf0) * 64 + b - 0x80) * 64 + c - 0x80) * 64 + d - 0x80
		if r >= 0x10000 and r <= 0x10ffff then return r, 4 end
	end
	return nil, 1
end

function go.utf8_ValidString(s)
	local i = 1
	while i <= #s do
		local r, n = rune(s, i)
		if r == nil then return false end
		i = i + n
	end
	return true
end

local function quote(s)
	local out, i, plain = {}, 1, true
	while i <= #s do
		local r, n = rune(s, i)
		local c = s:sub(i, i)
		if r == nil then
			plain = false
			out[#out + 1] = string.format("\\x%02x", c:byte())
		elseif escapes[c] then
			out[#out + 1] = escapes[c]
		elseif r < 0x20 or r == 0x7f then
			plain = plain and r > 0
			out[#out + 1] = string.format("\\x%02x", r)
		elseif r < 0x80 then
			out[#out + 1] = c
		elseif r < 0x10000 then
			out[#out + 1] = string.format("\\u%04x", r)
		else
			out[#out + 1] = string.format("\\U%08x", r)
		end
		i = i + n
	end
	return '"' .. table.concat(out) .. '"', plain
end

local function hexadecimal(s)
	local text = s:sub(1, MAX_BYTES):gsub(".", function(c) return string.format("%02x", c:byte()) end)
	return #s > MAX_BYTES and text .. "..." or text
end

local function fraction(v)
	if v ~= v then return "NaN" end
	if v == math.huge or v == -math.huge then return v > 0 and "+Inf" or "-Inf" end
	local digits = 1
	local function rounded() return tonumber(string.format("%." .. digits - 1 .. "e", v)) end
	while digits < 9 and Struct.unpack(">f", Struct.pack(">f", rounded())) ~= v do digits = digits + 1 end
	local text = string.format("%." .. digits - 1 .. "e", v)
	local exponent = tonumber(text:match("e(.*)"))
	if v == 0 or exponent >= -4 and exponent < 6 then
		return string.format("%." .. math.max(digits - 1 - exponent, 0) .. "f", v)
	end
	return text
end

-- A Reader reads a message as the type of the same name in package wire does. After a
-- failure it does not return.
local Reader = {}
Reader.__index = Reader

local function newReader(bytes)
	local r = {b = bytes, off = 0, stop = #bytes, scope = "", fields = {}, traced = 0, constants = 0, entered = 0}
	return setmetatable(r, Reader)
end

local function path(r, field)
	if r.scope == "" or field == "" then return r.scope .. field end
	return r.scope .. "." .. field
end

local function note(r, n, field, shown, value)
	table.insert(r.fields, {name = path(r, field), off = r.off - n, len = n, shown = shown, value = value})
	r.traced = r.off
end

local function take(r, n, field)
	if n < 0 or n > r.stop - r.off then r:Fail(go.lobbywire_ErrTruncated, field, r.off) end
	r.off = r.off + n
	return r.b:sub(r.off - n + 1, r.off)
end

function Reader:Len() return self.stop - self.off end
function Reader:Offset() return self.off end
function Reader:RequireUTF8() end
function Reader:DecodeTexts() end
function Reader:Failed() return false end
function Reader:Peek() return self.b:sub(self.off + 1, self.stop) end

function Reader:In(name, index)
	self.scope = index >= 0 and name ~= "" and string.format("%s[%d]", name, index) or name
end

function Reader:Fail(kind, field, at)
	if kind == go.lobbywire_ErrTruncated and self.entered > 0 then
		kind = go.wire_Invalid("does not fit in the part that holds it")
	end
	self.failure = {field = path(self, field), off = at, text = kind}
	error(STOP)
end

function Reader:Refuse(field, at, reason) self:Fail(go.wire_Invalid(reason), field, at) end

function Reader:Exceed(field, at, size, limit)
	self:Fail(string.format("limit exceeded: %d, at most %d", size, limit), field, at)
end

local function number(s)
	local v = 0
	for i = 1, #s do v = v * 256 + s:byte(i) end
	return v
end

function go.binary_bigEndian_Uint16(s) return number(go.slice(s, 0, 2)) end
function go.binary_bigEndian_Uint32(s) return number(go.slice(s, 0, 4)) end
function go.binary_littleEndian_Uint32(s) return number(go.slice(s, 0, 4):reverse()) end

-- Only encoders and the option Strict need these.
go.netip_Addr_IsValid = code
go.netip_Addr_String = code
go.strconv_ParseUint = code

-- The memory of a list of servers. The list itself is not shown.
go.wzproposal_Status_lower = string.lower
function go.sb2_arena_text(_, s) return s end
function go.sb2_arena_decimal(_, n) return string.format("%d", n) end
function go.sb2_arena_pairs(_, n) return go.make(n, function() return {} end) end
function go.sb2_serverList_servers() end

function go.sb2_serverList_next(list)
	list.n = list.n + 1
	return {}
end

local function integer(r, n, field, turn)
	local s = take(r, n, field)
	local v = number(turn and s:reverse() or s)
	note(r, n, field, string.format("%.0f", v), v)
	return v
end

function Reader:Uint8(field) return integer(self, 1, field) end
function Reader:Uint16(field) return integer(self, 2, field) end
function Reader:Uint16LE(field) return integer(self, 2, field, true) end
function Reader:Uint32(field) return integer(self, 4, field) end
function Reader:Uint32LE(field) return integer(self, 4, field, true) end

function Reader:Uint64(field)
	local s = take(self, 8, field)
	local v = UInt64(number(s:sub(5)), number(s:sub(1, 4)))
	note(self, 8, field, tostring(v), v)
	return number(s)
end

function Reader:Float32(field)
	local v = Struct.unpack(">f", take(self, 4, field))
	note(self, 4, field, fraction(v), v)
	return v
end

function Reader:Const8(field, v)
	local at = self.off
	local got = self:Uint8(field)
	if got ~= v then self:Fail(string.format("invalid value: is %d, want %d", got, v), field, at) end
	self.constants = self.constants + 1
end

function Reader:Const16(field, v)
	local p, high, low = self:Peek(), math.floor(v / 256), v % 256
	if #p > 0 and p:byte(1) ~= high or #p > 1 and p:byte(2) ~= low then
		self:Refuse(field, self.off, "is not the number that starts such messages")
	end
	self:Uint16(field)
	self.constants = self.constants + 2
end

function Reader:Bytes(n, field)
	local s = take(self, n, field)
	if n == 0 then return s end
	note(self, n, field, hexadecimal(s))
	return s
end

function Reader:Array4(field) return self:Bytes(4, field) end
function Reader:Rest(field) return self:Bytes(self:Len(), field) end
function Reader:Skip(n, field) self:Bytes(n, field) end

function Reader:IPv4(field)
	local s = take(self, 4, field)
	note(self, 4, field, string.format("%d.%d.%d.%d", s:byte(1, 4)))
	return s
end

function Reader:TextWithin(before, n, after, field)
	if n < 0 then self:Fail(go.lobbywire_ErrTruncated, field, self.off) end
	local size = before + n + after
	local s = take(self, size, field):sub(before + 1, before + n)
	local shown, plain = quote(s)
	note(self, size, field, shown, plain and s or shown:sub(2, -2))
	return s
end

function Reader:ViewWithin(before, n, after, field) return self:TextWithin(before, n, after, field) end
function Reader:Text(n, field) return self:TextWithin(0, n, 0, field) end
function Reader:Text8(field) return self:TextWithin(1, self:Peek():byte(1) or 0, 0, field) end
function Reader:Text0(field) return self:TextBefore(0, field) end

function Reader:TextBefore(sep, field)
	return self:TextWithin(0, go.bytes_IndexByte(self:Peek(), sep), 1, field)
end

function Reader:TextUntil(sep, field)
	local n = go.bytes_IndexByte(self:Peek(), sep)
	if n < 0 then return self:Text(self:Len(), field), false end
	return self:TextWithin(0, n, 1, field), true
end

function Reader:TextPadded(n, pad, field)
	local p = self.b:sub(self.off + 1, math.min(self.off + n, self.stop))
	local size = go.bytes_IndexByte(p, 0)
	if size < 0 then size = #p - #p:match(string.char(pad) .. "*$") end
	return self:TextWithin(0, #p < n and n or size, #p < n and 0 or n - size, field)
end

function Reader:Decoded(s) return s end
function Reader:CountPairs() return 0 end

function Reader:Int0(bits, field)
	local p, v, i = self:Peek(), 0, 1
	local negative = p:sub(1, 1) == "-"
	if negative then i = 2 end
	local first, limit = i, negative and 2^(bits - 1) or 2^(bits - 1) - 1
	while i <= #p and p:byte(i) ~= 0 do
		local digit = p:byte(i) - 48
		if digit < 0 or digit > 9 then self:Refuse(field, self.off, "is not a number") end
		v = v * 10 + digit
		if v > limit then self:Refuse(field, self.off, "is too large a number") end
		i = i + 1
	end
	if i <= #p and i == first then self:Refuse(field, self.off, "is not a number") end
	take(self, i, field)
	local shown = string.format("%.0f", negative and v > 0 and -v or v)
	note(self, i, field, shown, shown)
	return negative and -v or v
end

function Reader:Count(n, size, limit, field, at)
	if n > limit then self:Exceed(field, at, n, limit) end
	if n * size > self:Len() then self:Fail(go.lobbywire_ErrTruncated, field, at) end
	return n
end

function Reader:Enter(n, field, at)
	if n < 0 or n > self:Len() then self:Fail(go.lobbywire_ErrTruncated, field, at) end
	local outer = self.stop
	self.stop = self.off + n
	self.entered = self.entered + 1
	return outer
end

function Reader:End()
	if self.open and self.entered == 0 then return end
	if self.off < self.stop then self:Fail(go.lobbywire_ErrTrailing, "", self.off) end
end

function Reader:Leave(outer)
	self:End()
	self.stop = outer
	self.entered = self.entered - 1
end

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
