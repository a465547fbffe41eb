package lobbywire_test

import (
	"encoding/json"
	"fmt"

	"github.com/lobbywire/lobbywire"
)

// The server has not told how many bots play, and says that nobody needs a password. It
// answers queries at another port than the game's.
func ExampleView() {
	v := lobbywire.View{Name: "Duel", Map: "Rush", Port: 7777, Players: new(0), Max: new(8), Password: new(false)}
	if v.Bots == nil {
		fmt.Println("bots: unknown")
	}
	fmt.Println("join", v.Address("192.0.2.1"))
	text, err := json.Marshal(v)
	fmt.Println(string(text), err)
	// Output:
	// bots: unknown
	// join 192.0.2.1:7777
	// {"name":"Duel","map":"Rush","port":7777,"players":0,"max":8,"password":false} <nil>
}
