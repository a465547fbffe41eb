// Package warnings names what lobbyd uses of the package of this name that programs share.
package warnings

import "github.com/lobbywire/lobbywire/examples/internal/warnings"

// A Log is that of the shared package.
type Log = warnings.Log
