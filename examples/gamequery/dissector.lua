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
	local size = tvb:len()
	for offset, length, words in text:gmatch("\n(%d*)%+(%d+) ([^\n]*)") do
		offset, length = tonumber(offset), tonumber(length)
		if offset and offset + length <= size then
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
	self = self or Dissector.get("lobbywire")
	local info, tree
	for _, comment in ipairs({ comments() }) do
		local text = comment.value
		local start, _, name, more = text:find("^(%l[%l%d]*%.%u%w*)([^\n]*)\n")
		if start and more == "" then
			info, tree = info and info .. ", " .. name or name, nil
		end
		-- Nothing is added that nobody sees. Errors are, as filters may look for all of them.
		local failed = start and text:find("\nerror: ", 1, true)
		if failed or start and root:referenced(self) then
			if not tree then
				tree = root:add(lobbywire, tvb(), "lobbywire, " .. name)
				tree:add(message, name):set_generated()
			end
			add(tree, tvb, text, text:find("\nnote: ", 1, true) or failed)
		end
	end
	if info then pinfo.cols.info = info end
end

register_postdissector(lobbywire)
