# A game that reports its state to a sidecar, with Godot 4:
#
#	godot --headless -s game.gd -- http://127.0.0.1:7790
#
# A game with scenes adds the HTTPRequest to one of its nodes.
extends SceneTree

var request = HTTPRequest.new()
var players = {'Ann "Fox"': 3}

func _initialize():
	play.call_deferred()

# Reports the whole state. The sidecar answers all queries with it.
func report():
	var roster = []
	for name in players:
		roster.append({"name": name, "score": players[name]})
	var state = {"name": "Duel", "map": "harbor", "port": 25600, "max": 16, "roster": roster}
	var url = OS.get_cmdline_user_args()[-1] + "/v1/state"
	var error = request.request(url, [], HTTPClient.METHOD_PUT, JSON.stringify(state))
	if error != OK:  # the game goes on, and reports again
		printerr("not reported: ", error)
		return
	var answer = await request.request_completed
	if answer[1] != 204:
		printerr("not reported: ", answer[1], " ", answer[3].get_string_from_utf8())

func play():
	request.timeout = 2
	root.add_child(request)
	report()
	await create_timer(1).timeout
	players["Bob"] = 0
	report()
	await create_timer(1).timeout
	players.erase('Ann "Fox"')
	report()
	await create_timer(1).timeout
	quit()
