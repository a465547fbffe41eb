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

