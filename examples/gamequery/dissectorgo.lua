-- What the messages call of Go and of lobbywire.
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
go.bytes_EqualFold = go.strings_EqualFold

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
go.strings_TrimRight = go.bytes_TrimRight
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

