using System;
using System.Collections;
using System.Collections.Generic;
using System.Net.Http;
using System.Text;
using UnityEngine;

namespace Lobbywire {
	/// <summary>
	/// Reports the state of the game to a sidecar. Add it to an object that lives as long as
	/// the server, set <see cref="state"/> in the inspector or in code, and call <see
	/// cref="Report"/> after each change.
	/// </summary>
	public class Sidecar : MonoBehaviour {
		/// <summary>What all answers to queries show. Empty texts are unknown.</summary>
		[Serializable]
		public class State {
			public string name = "Duel", map = "", mode = "", version = "";
			public int port = 7777, max = 16;
			public List<Player> roster = new List<Player>();
		}

		[Serializable]
		public class Player {
			public string name = "";
			public int score;
		}

		/// <summary>The sidecar. One that starts the game sets $SIDECAR_STATE instead.</summary>
		public string url = "http://127.0.0.1:7790";
		public State state = new State();

		// UnityWebRequest refuses http unless the settings of the project allow it.
		static readonly HttpClient client = new HttpClient { Timeout = TimeSpan.FromSeconds(2) };
		bool hasChanged;

		/// <summary>Reports the state within a frame, or after the report under way.</summary>
		public void Report() { hasChanged = true; }

		void Awake() { url = Environment.GetEnvironmentVariable("SIDECAR_STATE") ?? url; }

		// The game goes on, and reports again.
		static void Warn(string why) { Debug.LogWarning("not reported: " + why); }

		IEnumerator Start() {
			while (true) {
				hasChanged = false;
				var body = new StringContent(JsonUtility.ToJson(state), Encoding.UTF8, "application/json");
				var sending = client.PutAsync(url + "/v1/state", body);
				while (!sending.IsCompleted) yield return null;
				if (sending.IsCanceled) Warn("no answer");
				else if (sending.IsFaulted) Warn(sending.Exception.GetBaseException().Message);
				else using (var answer = sending.Result) {
					if (!answer.IsSuccessStatusCode) Warn(answer.StatusCode.ToString());
				}
				for (var left = 10f; left > 0 && !hasChanged; left -= Time.unscaledDeltaTime) yield return null;
			}
		}
	}
}
