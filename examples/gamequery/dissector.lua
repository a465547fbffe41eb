-- Shows in Wireshark 3.6 and later what "gamequery explain -w" has written into the comments of
-- packets: the name of a message, lines "OFFSET+LENGTH field = value", without OFFSET if an earlier
-- packet has the field, and then lines that start with "note: " or "error: ".
local lobbywire = Proto("lobbywire", "lobbywire")
local message = ProtoField.string("lobbywire.message", "Message")
local field = ProtoField.string("lobbywire.field", "Field")
local note = ProtoField.string("lobbywire.note", "Note")
local broken = ProtoExpert.new("lobbywire.error", "Error", expert.group.MALFORMED, expert.severity.ERROR)
lobbywire.fields, lobbywire.experts = { message, field, note }, { broken }
local comments, self = Field.new("frame.comment"), nil

local function add(tree, tvb, text, last)
	for offset, length, words in text:gmatch("\n(%d*)%+(%d+) ([^\n]*)") do
		offset, length = tonumber(offset), tonumber(length)
		if offset and offset + length <= tvb:len() then
			tree:add(field, tvb(offset, length), words, words)
		else
			tree:add(field, words, words):set_generated()
		end
	end
	for kind, words in text:sub(last or #text):gmatch("\n(%l+): ([^\n]*)") do
		if kind == "error" then tree:add_proto_expert_info(broken, words) else tree:add(note, words):set_generated() end
	end
end

function lobbywire.dissector(tvb, pinfo, root)
	local first, second = comments()
	if not first then return end
	self = self or Dissector.get("lobbywire")
	local info, tree
	for _, comment in ipairs(second and { comments() } or { first }) do
		local text = comment.value
		local name = text:match("^(%l[%l%d]*%.%u%w*)\n")
		if name then info, tree = info and info .. ", " .. name or name, nil end
		-- Fields that nobody looks at take time. Errors are added for filters that look for all of them.
		local failed = text:find("\nerror: ", 1, true)
		if (failed or root:referenced(self)) and (name or info and text:find("^[%w.]+, continued\n")) then
			tree = tree or root:add(lobbywire, tvb(), "lobbywire, " .. (name or info))
			if name then tree:add(message, name):set_generated() end
			add(tree, tvb, text, text:find("\nnote: ", 1, true) or failed)
		end
	end
	if info then pinfo.cols.info = info end
end

register_postdissector(lobbywire)
