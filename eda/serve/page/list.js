const search = document.getElementById("search");
search.addEventListener("submit", (event) => {
  event.preventDefault();
  const words = search.elements.q.value.trim();
  location.href = words ? `/?q=${encodeURIComponent(words)}` : "/";
});

const base64 = (file) => new Promise((done, failed) => {
  const reader = Object.assign(new FileReader(), { onload: () => done(reader.result.replace(/^[^,]*,/, "")), onerror: () => failed(reader.error) });
  reader.readAsDataURL(file);
});

const form = document.getElementById("new");
const fault = form.querySelector(".error");
form.addEventListener("submit", async (event) => {
  event.preventDefault();
  const given = Object.fromEntries([...new FormData(form)].filter(([name, value]) => name !== "documents" && value));
  given.documents = await Promise.all([...form.elements.documents.files].map(async (file) => ({ name: file.name, data: await base64(file) })));
  const button = form.querySelector("button");
  button.disabled = true;
  try {
    const answer = await fetch("/new", { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(given) });
    const said = await answer.json();
    if (answer.ok) location.href = `/s/${encodeURIComponent(said.session)}`;
    else throw new Error([said.error, said.hint].filter(Boolean).join(" "));
  } catch (error) {
    fault.textContent = error.message;
    fault.hidden = false;
  } finally {
    button.disabled = false;
  }
});
