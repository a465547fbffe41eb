package wzjson

import "github.com/lobbywire/lobbywire/internal/wire"

// isPresent reports whether id is not empty.
func isPresent(id string) bool { return id != "" }

// isPresentFault is the reason for refusing an empty id.
const isPresentFault wire.Invalid = "missing"
