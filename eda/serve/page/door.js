// The pages at the door. The seat of an invitation is taken by the button alone, since programs follow links, too.
const fault = document.querySelector(".error");
document.getElementById("sit")?.addEventListener("click", async () => {
  fault.hidden = true;
  try {
    const answer = await fetch(location.pathname, { method: "POST", headers: { "Content-Type": "application/json" }, body: "{}" });
    const said = await answer.json();
    if (!answer.ok) throw new Error([said.error, said.hint].filter(Boolean).join(". "));
    location.replace(`/s/${encodeURIComponent(said.session)}`);
  } catch (error) {
    fault.textContent = error.message;
    fault.hidden = false;
  }
});
document.getElementById("owner")?.addEventListener("submit", (event) => {
  event.preventDefault();
  location.href = `/?token=${encodeURIComponent(event.target.elements.token.value.trim())}`;
});
