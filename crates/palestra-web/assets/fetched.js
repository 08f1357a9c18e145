// What a board needs from the server.

const FIRST_WAIT = 500;
const LONGEST_WAIT = 15000;

/** The JSON at an address; while the server is away, it is asked again and again. @param {string} address */
export async function fetched(address) {
  for (let wait = FIRST_WAIT; ; wait = Math.min(2 * wait, LONGEST_WAIT)) {
    const json = await fetch(address)
      .then((answer) => (answer.ok ? answer.json() : null))
      .catch(() => null);
    if (json) return json;
    await new Promise((resolve) => setTimeout(resolve, wait));
  }
}
