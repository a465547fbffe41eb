package announce

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

// A lobby that is lost repeatedly is logged once for each reason. After an announcement
// that has stood, it is logged again.
func TestKeepLogsAReasonOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var log bytes.Buffer
		ctx, cancel := context.WithCancel(t.Context())
		attempts, lost := 0, 0
		err := Keep(ctx, slog.New(slog.NewTextHandler(&log, nil)), "lobby.example:9990", func(context.Context) error {
			attempts++
			switch attempts {
			case 20:
				time.Sleep(Stands)
			case 30:
				cancel()
			}
			return fmt.Errorf("reason %d", attempts/10)
		}, func(err error) {
			if !errors.Is(err, context.Canceled) {
				lost++
			}
		})
		if err != context.Canceled || attempts != 30 || lost != 29 {
			t.Errorf("%d attempts, %d lost, %v", attempts, lost, err)
		}
		for reason, want := range []int{1, 1, 1} {
			if got := strings.Count(log.String(), fmt.Sprint("reason ", reason)); got != want {
				t.Errorf("reason %d is logged %d times, want %d:\n%s", reason, got, want, log.String())
			}
		}
		if !strings.Contains(log.String(), "level=WARN") || !strings.Contains(log.String(), "lobby=lobby.example:9990") {
			t.Errorf("log %s", log.String())
		}
	})
}

func TestKeepLogsTheSameReasonAfterSuccess(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var log bytes.Buffer
		ctx, cancel := context.WithTimeout(t.Context(), time.Hour)
		defer cancel()
		_ = Keep(ctx, slog.New(slog.NewTextHandler(&log, nil)), "", func(context.Context) error {
			time.Sleep(Stands)
			return errors.New("lost")
		}, func(error) {})
		if got := strings.Count(log.String(), "error=lost"); got < 50 {
			t.Errorf("%d announcements that stood are logged", got)
		}
	})
}
