// Queries the servers in a file with gamedig, 100 at a time, and prints the name of each
// that answers.
const {GameDig} = require('gamedig');
const {readFileSync} = require('fs');

const targets = readFileSync(process.argv[1], 'utf8').trim().split('\n');
const query = new GameDig();

async function scan() {
	for (let target; (target = targets.pop());) {
		const [type, host, port] = target.split(/[ :]/);
		try {
			const state = await query.query({type, host, port, givenPortOnly: true});
			console.log(JSON.stringify(state.name));
		} catch {
			// It did not answer.
		}
	}
}

Promise.all(Array.from({length: 100}, scan)).then(() => process.exit(0));
