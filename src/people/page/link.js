// Opens a link when the person asks for it, and not before: what fetches addresses in advance would use it up.
const button = document.getElementById("open");
const state = document.getElementById("state");

async function open() {
	button.disabled = true;
	const response = await fetch(location.pathname + location.search, { method: "POST" });
	const answer = await response.json();
	if (response.ok)
		location.replace(answer.address);
	else
		state.textContent = answer.error;
}

button.addEventListener("click", () => open().catch((error) => {
	state.textContent = `The server cannot be reached: ${error.message}`;
	button.disabled = false;
}));
