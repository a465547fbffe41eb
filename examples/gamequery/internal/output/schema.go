package output

import (
	_ "embed"
)

// Schema describes the lines of -json.
//
//go:embed schema.json
var Schema string
