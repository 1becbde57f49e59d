// Made by `npm run bundles-page` of services/observer/src/bundles-page and packages/bundle/src/core.
(function() {
	// packages/bundle/src/core/limits.ts
	/**
	* The format's name and its limits (skills-anywhere-bundle-1, section 4 of the fact sheet).
	*
	* Everything in this folder runs in Node and in a browser alike: nothing of Node is imported here.
	*/
	var bundleSchema = "skills-anywhere-bundle-1";
	/** The file at the root that makes a directory a skill. */
	var skillMarkdown = "SKILL.md";
	var mebibyte = 1048576;
	var limits = {
		files: 512,
		/** Files, directories and the root itself. */
		entries: 1024,
		/** Path segments. */
		depth: 12,
		/** UTF-8 bytes of one relative path. */
		pathBytes: 1024,
		/** Bytes of SKILL.md at the root; a nested one is an ordinary file. */
		skillMarkdownBytes: 131072,
		fileBytes: 16 * mebibyte,
		totalBytes: 32 * mebibyte,
		/** Bytes of a manifest that somebody hands us. */
		manifestBytes: mebibyte
	};
	/** Bytes that the file at `path` may have. */
	function sizeLimitOf(path) {
		return path === "SKILL.md" ? limits.skillMarkdownBytes : limits.fileBytes;
	}
	// packages/bundle/src/core/canonical.ts
	/** The order of rows: UTF-16 code units of the whole path, which is neither code points nor UTF-8 bytes. */
	function comparePaths(a, b) {
		return a < b ? -1 : a > b ? 1 : 0;
	}
	/** The bytes whose SHA-256 is the identity of a bundle (section 2). Rows must be in order. */
	function canonicalBytes(files) {
		const rows = files.map(({ path, bytes, sha256 }) => [
			path,
			bytes,
			sha256
		]);
		return new TextEncoder().encode(JSON.stringify([bundleSchema, rows]));
	}
	// packages/bundle/src/core/compare.ts
	/** Holds `actual` against what was `expected`. Both must have been checked. */
	function compareManifests(expected, actual) {
		const before = new Map(expected.files.map((file) => [file.path, file]));
		const after = new Set(actual.files.map(({ path }) => path));
		const added = [];
		const changed = [];
		for (const { path, bytes, sha256 } of actual.files) {
			const known = before.get(path);
			if (known === void 0) added.push(path);
			else if (known.sha256 !== sha256 || known.bytes !== bytes) changed.push(path);
		}
		const removed = expected.files.map(({ path }) => path).filter((path) => !after.has(path));
		return {
			matches: expected.sha256 === actual.sha256,
			added,
			removed,
			changed
		};
	}
	// packages/bundle/src/core/quote.ts
	/** What a terminal or a page would act on, swallow, or show as nothing. */
	var unseen = /[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]|(?! )\p{Zs}/gu;
	var beyondAscii = /[^\0-\u007f]/gu;
	/**
	* A path as a JSON string that is safe to show: control and format characters, the C1 ones of terminals
	* included, unassigned characters and unusual spaces are written as `\uXXXX`. So is everything beyond ASCII
	* in a path that is not composed, because it would look like another one.
	*/
	function quotePath(path) {
		const quoted = JSON.stringify(path).replace(unseen, escapeUnits);
		return path === path.normalize("NFC") ? quoted : quoted.replace(beyondAscii, escapeUnits);
	}
	function escapeUnits(character) {
		return [...Array(character.length).keys()].map((index) => `\\u${character.charCodeAt(index).toString(16).padStart(4, "0")}`).join("");
	}
	// packages/contracts/src/errors.ts
	var LandfallError = class extends Error {
		name = "LandfallError";
		code;
		data;
		constructor(code, message, data = {}, options) {
			super(message, options);
			this.code = code;
			this.data = data;
		}
	};
	// packages/bundle/src/core/refusals.ts
	/**
	* Every reason for which there is no manifest, as one word each.
	*
	* They all travel as a `LandfallError` with the code `invalid`; the word is in `data.refusal`.
	*/
	var refusals = {
		/** An empty segment: an empty path, a slash at either end, two in a row. */
		pathEmptySegment: "path-empty-segment",
		/** A segment `.` or `..`. */
		pathDotSegment: "path-dot-segment",
		/** A backslash, a colon, a control character or U+FFFD, which is what a name that is not UTF-8 becomes. */
		pathCharacter: "path-character",
		/** Half of a surrogate pair. */
		pathSurrogate: "path-surrogate",
		/** More than 1,024 bytes in UTF-8. */
		pathLength: "path-length",
		/** More than 12 levels. */
		pathDepth: "path-depth",
		noFiles: "no-files",
		tooManyFiles: "too-many-files",
		tooManyEntries: "too-many-entries",
		fileSize: "file-size",
		totalSize: "total-size",
		noSkillMarkdown: "no-skill-md",
		skillMarkdownSize: "skill-md-size",
		skillMarkdownEncoding: "skill-md-encoding",
		rootMissing: "root-missing",
		rootKind: "root-kind",
		link: "link",
		/** Neither a regular file nor a directory: FIFO, socket, device. */
		entryKind: "entry-kind",
		/** Something below the root became something else while it was read. */
		changed: "changed",
		/** A file gives more bytes than it had. */
		grew: "grew",
		/** The system does not let us read it. `data.errno` says why. */
		unreadable: "unreadable",
		manifestMissing: "manifest-missing",
		manifestKind: "manifest-kind",
		/** It lies in the directory that it is to describe, and would describe itself. */
		manifestInside: "manifest-inside",
		manifestSize: "manifest-size",
		manifestEncoding: "manifest-encoding",
		manifestJson: "manifest-json",
		/** Not an object with exactly the four fields, each of its kind. */
		manifestFields: "manifest-fields",
		manifestSchema: "manifest-schema",
		/** Not an object with exactly the three fields, or a field of another kind. */
		rowFields: "row-fields",
		rowBytes: "row-bytes",
		rowDigest: "row-digest",
		rowDuplicate: "row-duplicate",
		rowOrder: "row-order",
		/** One path is also the directory of another. */
		rowParent: "row-parent",
		manifestTotal: "manifest-total",
		manifestDigest: "manifest-digest"
	};
	/** Makes the error to throw. `message` starts with the cause; paths in it are to be quoted with `quotePath`. */
	function refusal(word, message, data = {}, options) {
		return new LandfallError("invalid", message, {
			refusal: word,
			...data
		}, options);
	}
	/** The word of an error that this package threw; `undefined` for any other value. */
	function refusalOf(error) {
		if (!(error instanceof LandfallError)) return void 0;
		return Object.values(refusals).find((word) => word === error.data["refusal"]);
	}
	// packages/bundle/src/core/path.ts
	var forbidden = /[\u0000-\u001F\u007F\uFFFD\\:]/;
	var encoder = new TextEncoder();
	/**
	* Checks a path relative to the root of a bundle (section 3). Files and directories follow the same rules.
	* Twins that differ in case or composition alone are two paths.
	*
	* @throws LandfallError with one of the `path-...` refusals.
	*/
	function checkPath(path) {
		if (encoder.encode(path).length > limits.pathBytes) {
			const start = path.slice(0, 40).toWellFormed();
			const message = `A path of more than ${limits.pathBytes} bytes, which begins ${quotePath(start)}`;
			throw refusal(refusals.pathLength, message, { path: start });
		}
		const about = { path };
		if (!path.isWellFormed()) throw refusal(refusals.pathSurrogate, `Half a surrogate pair in the path ${quotePath(path)}`, about);
		if (forbidden.test(path)) throw refusal(refusals.pathCharacter, `A backslash, a colon, a control character or U+FFFD makes an unsupported relative path of ${quotePath(path)}`, about);
		const segments = path.split("/");
		if (segments.includes("")) throw refusal(refusals.pathEmptySegment, `An empty segment in the path ${quotePath(path)}`, about);
		if (segments.includes(".") || segments.includes("..")) throw refusal(refusals.pathDotSegment, `A segment that is . or .. in the path ${quotePath(path)}`, about);
		if (segments.length > limits.depth) throw refusal(refusals.pathDepth, `More than ${limits.depth} path levels: ${quotePath(path)}`, about);
	}
	// packages/bundle/src/core/tally.ts
	/**
	* Counts what is met while a directory is walked, or a list of files is gone through, and refuses as soon as
	* a limit is passed (section 4): before anything is read, and before an endless directory has been listed.
	*/
	var Tally = class {
		/** The root counts. */
		#entries = 1;
		#files = 0;
		#bytes = 0;
		#hasSkillMarkdown = false;
		/** One entry, of whatever kind. @throws LandfallError `path-...`, `too-many-entries`. */
		visit(path) {
			this.#entries += 1;
			if (this.#entries > limits.entries) throw refusal(refusals.tooManyEntries, `More than ${limits.entries} entries, the directory itself included`);
			checkPath(path);
		}
		/**
		* One regular file that has been visited, or one row of a manifest.
		*
		* @throws LandfallError `too-many-files`, `file-size`, `skill-md-size`, `total-size`.
		*/
		file(path, bytes) {
			this.#files += 1;
			this.#bytes += bytes;
			if (this.#files > limits.files) throw refusal(refusals.tooManyFiles, `More than ${limits.files} files; a bundle has 1 to ${limits.files}`);
			checkSize(path, bytes);
			if (this.#bytes > limits.totalBytes) throw refusal(refusals.totalSize, `More than 32 MiB altogether, with ${quotePath(path)}`, { path });
			this.#hasSkillMarkdown ||= path === skillMarkdown;
		}
		/** Nothing more will come. @throws LandfallError `no-files`, `no-skill-md`. @returns bytes of all files. */
		end() {
			if (this.#files === 0) throw refusal(refusals.noFiles, `No file: a bundle has 1 to ${limits.files}`);
			if (!this.#hasSkillMarkdown) throw refusal(refusals.noSkillMarkdown, "No SKILL.md at the root of the bundle");
			return this.#bytes;
		}
	};
	function checkSize(path, bytes) {
		if (bytes <= sizeLimitOf(path)) return;
		if (path === "SKILL.md") throw refusal(refusals.skillMarkdownSize, "SKILL.md has more than 128 KiB", {
			path,
			bytes
		});
		throw refusal(refusals.fileSize, `More than 16 MiB in the file ${quotePath(path)}`, {
			path,
			bytes
		});
	}
	// packages/bundle/src/core/rows.ts
	/** @throws LandfallError: every refusal of rows, paths and limits. The first one found counts. */
	function checkRows(values) {
		const tally = new Tally();
		const rows = [];
		for (const value of values) {
			const row = rowOf(value, rows.length);
			checkOrder(rows.at(-1), row);
			tally.file(row.path, row.bytes);
			rows.push(row);
		}
		checkParents(rows);
		return {
			rows,
			totalBytes: tally.end()
		};
	}
	var sha256Pattern = /^[0-9a-f]{64}$/;
	function rowOf(value, index) {
		const fields = fieldsOf(value, [
			"path",
			"bytes",
			"sha256"
		]);
		const where = `Row ${index + 1} of the manifest`;
		if (fields === void 0 || typeof fields["path"] !== "string") throw refusal(refusals.rowFields, `${where} is not an object with path, bytes and sha256`, { row: index + 1 });
		const { path, bytes, sha256 } = fields;
		checkPath(path);
		const about = {
			row: index + 1,
			path
		};
		if (typeof bytes !== "number" || !Number.isSafeInteger(bytes) || bytes < 0) throw refusal(refusals.rowBytes, `${where} has no whole number of bytes: ${quotePath(path)}`, about);
		if (typeof sha256 !== "string" || !sha256Pattern.test(sha256)) throw refusal(refusals.rowDigest, `${where} has no SHA-256 of 64 lowercase hex digits: ${quotePath(path)}`, about);
		return {
			path,
			bytes: bytes + 0,
			sha256
		};
	}
	/** An object's fields when they are exactly these. */
	function fieldsOf(value, names) {
		if (typeof value !== "object" || value === null || Array.isArray(value)) return void 0;
		const entries = Object.entries(value);
		return entries.length === names.length && entries.every(([name]) => names.includes(name)) ? Object.fromEntries(entries) : void 0;
	}
	function checkOrder(before, row) {
		if (before === void 0) return;
		const order = comparePaths(before.path, row.path);
		if (order < 0) return;
		const about = { path: row.path };
		if (order === 0) throw refusal(refusals.rowDuplicate, `Two rows for the path ${quotePath(row.path)}`, about);
		const pair = `${quotePath(row.path)} comes after ${quotePath(before.path)}`;
		throw refusal(refusals.rowOrder, `Rows are not sorted by UTF-16 code units: ${pair}`, about);
	}
	function checkParents(rows) {
		const paths = new Set(rows.map(({ path }) => path));
		for (const { path } of rows) for (let slash = path.indexOf("/"); slash !== -1; slash = path.indexOf("/", slash + 1)) {
			const parent = path.slice(0, slash);
			if (!paths.has(parent)) continue;
			const message = `A file cannot also be a directory: ${quotePath(parent)} and ${quotePath(path)}`;
			throw refusal(refusals.rowParent, message, { path: parent });
		}
	}
	// packages/bundle/src/core/manifest.ts
	/** Makes the manifest of files in any order. @throws LandfallError as `checkRows` does. */
	async function makeManifest(files, sha256) {
		const { rows, totalBytes } = checkRows(files.toSorted((a, b) => comparePaths(a.path, b.path)));
		return {
			schema: bundleSchema,
			sha256: await sha256(canonicalBytes(rows)),
			total_bytes: totalBytes,
			files: rows
		};
	}
	// packages/bundle/src/core/parse.ts
	/**
	* Parses a manifest that somebody hands us, and recomputes everything it states of itself.
	*
	* @throws LandfallError: every `manifest-...` and `row-...` refusal, those of paths and of limits.
	*/
	async function parseManifest(bytes, sha256) {
		return await checkManifest(jsonOf(bytes), sha256);
	}
	/** The same for a value that has been parsed already. */
	async function checkManifest(value, sha256) {
		const fields = fieldsOf(value, [
			"schema",
			"sha256",
			"total_bytes",
			"files"
		]);
		if (fields === void 0) throw malformed("it is not an object with schema, sha256, total_bytes and files");
		const { schema, sha256: stated, total_bytes: statedBytes, files } = fields;
		if (schema !== "skills-anywhere-bundle-1") throw refusal(refusals.manifestSchema, `The manifest is not of the schema ${bundleSchema}`);
		if (typeof stated !== "string" || !sha256Pattern.test(stated)) throw malformed("its sha256 is not 64 lowercase hex digits");
		if (typeof statedBytes !== "number") throw malformed("its total_bytes is not a number");
		if (!Array.isArray(files)) throw malformed("its files are not a list");
		const { rows, totalBytes } = checkRows(files);
		if (statedBytes !== totalBytes) throw refusal(refusals.manifestTotal, `The manifest's total_bytes is not the sum of its rows, ${totalBytes}`);
		const actual = await sha256(canonicalBytes(rows));
		if (stated !== actual) throw refusal(refusals.manifestDigest, `The manifest's sha256 is not that of its rows, ${actual}`, { actual });
		return {
			schema: bundleSchema,
			sha256: actual,
			total_bytes: totalBytes,
			files: rows
		};
	}
	function jsonOf(bytes) {
		if (bytes.length > limits.manifestBytes) throw refusal(refusals.manifestSize, "The manifest has more than 1 MiB", { bytes: bytes.length });
		let text;
		try {
			text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
		} catch (cause) {
			throw refusal(refusals.manifestEncoding, "The manifest is not UTF-8", {}, { cause });
		}
		try {
			return JSON.parse(text);
		} catch (cause) {
			throw refusal(refusals.manifestJson, "The manifest is not JSON", {}, { cause });
		}
	}
	function malformed(why) {
		return refusal(refusals.manifestFields, `The manifest has not the fields it must have: ${why}`);
	}
	// packages/bundle/src/core/skill-markdown.ts
	/** SKILL.md at the root is text, whatever its frontmatter says. @throws LandfallError `skill-md-encoding`. */
	function checkSkillMarkdown(bytes) {
		try {
			new TextDecoder("utf-8", { fatal: true }).decode(bytes);
		} catch (cause) {
			throw refusal(refusals.skillMarkdownEncoding, "SKILL.md is not UTF-8", { path: skillMarkdown }, { cause });
		}
	}
	var example_default = {
		reviewed: {
			"schema": "skills-anywhere-bundle-1",
			"sha256": "962cd6d4a7aab6cf852d8cf23bd3c98e684c0f5400c5fc64c728df8b749e1848",
			"total_bytes": 146,
			"files": [
				{
					"path": "SKILL.md",
					"bytes": 96,
					"sha256": "fa016494292b7f268d5d704ef36fe7e864127fb1b615f9c8c30b4de8ee7c645d"
				},
				{
					"path": "references/usage.md",
					"bytes": 29,
					"sha256": "abcbb02a890511535bc7812d090c907ea030ab8251777b14dd11a84498951e54"
				},
				{
					"path": "scripts/count.sh",
					"bytes": 21,
					"sha256": "a7b6e6ecb612282ad41d2919db9f11648327ac9736a0e14bd8793c5e6199a1a4"
				}
			]
		},
		now: {
			"schema": "skills-anywhere-bundle-1",
			"sha256": "3cc1e9fcb5a321219ccfcb601f2b1e2eac91528e207164ddbbb0703b2d07e53a",
			"total_bytes": 180,
			"files": [
				{
					"path": "SKILL.md",
					"bytes": 96,
					"sha256": "fa016494292b7f268d5d704ef36fe7e864127fb1b615f9c8c30b4de8ee7c645d"
				},
				{
					"path": "references/usage.md",
					"bytes": 29,
					"sha256": "abcbb02a890511535bc7812d090c907ea030ab8251777b14dd11a84498951e54"
				},
				{
					"path": "scripts/count.sh",
					"bytes": 55,
					"sha256": "94bd71f713af7d0c34f2e05a032fbf2ddc257997fc9111bd8c6e060b5416a742"
				}
			]
		}
	};
	// services/observer/src/bundles-page/reading.js
	/** Files and folders of the browser into manifests. All rules are those of the core, which Node runs too. */
	async function sha256(bytes) {
		if (globalThis.crypto?.subtle === void 0) throw new Error("The browser hashes only on this machine, over HTTPS or from a file");
		return hexOf(await crypto.subtle.digest("SHA-256", bytes));
	}
	/** One byte over the limit is enough to refuse, however long the file is. */
	async function readManifest(file, signal) {
		const bytes = new Uint8Array(await contentOf(file.slice(0, limits.manifestBytes + 1), file.name));
		signal.throwIfAborted();
		return await parseManifest(bytes, sha256);
	}
	/** `entries` gives `{ path, file }` for each file and `{ path }` for each folder, in whatever order. */
	async function readFolder(entries, signal, progress) {
		const tally = new Tally();
		const files = [];
		for await (const { path, file } of entries) {
			signal.throwIfAborted();
			tally.visit(path);
			if (file === void 0) continue;
			tally.file(path, file.size);
			files.push({
				path,
				file
			});
		}
		tally.end();
		const rows = [];
		for (const { path, file } of files) {
			progress(rows.length, files.length);
			const bytes = new Uint8Array(await contentOf(file, path));
			signal.throwIfAborted();
			if (bytes.length !== file.size) throw refusal(refusals.changed, `Changed during inspection: ${quotePath(path)}`);
			if (path === "SKILL.md") checkSkillMarkdown(bytes);
			rows.push({
				path,
				bytes: bytes.length,
				sha256: await sha256(bytes)
			});
		}
		signal.throwIfAborted();
		return await makeManifest(rows, sha256);
	}
	/** Of a chosen folder: the browser gives files alone, so folders are what their paths say. */
	function* chosenEntries(list) {
		const folders = /* @__PURE__ */ new Set();
		for (const file of list) {
			const segments = file.webkitRelativePath.split("/").slice(1);
			for (let depth = 1; depth < segments.length; depth += 1) {
				const path = segments.slice(0, depth).join("/");
				if (!folders.has(path)) yield { path };
				folders.add(path);
			}
			yield {
				path: segments.join("/"),
				file
			};
		}
	}
	/** Of a dropped folder. */
	async function* droppedEntries(directory, above = "") {
		const reader = directory.createReader();
		for (;;) {
			const batch = await new Promise((resolve, reject) => reader.readEntries(resolve, reject));
			if (batch.length === 0) return;
			for (const entry of batch) {
				const path = `${above}${entry.name}`;
				if (entry.isDirectory) {
					yield { path };
					yield* droppedEntries(entry, `${path}/`);
				} else yield {
					path,
					file: await new Promise((resolve, reject) => entry.file(resolve, reject))
				};
			}
		}
	}
	/** The same by handles: a page that was opened as a file gets no entries of a dropped folder in Chromium. */
	async function* handleEntries(handle, above = "") {
		for await (const [name, child] of (await handle).entries()) {
			const path = `${above}${name}`;
			if (child.kind === "directory") {
				yield { path };
				yield* handleEntries(child, `${path}/`);
			} else yield {
				path,
				file: await child.getFile()
			};
		}
	}
	async function contentOf(blob, path) {
		try {
			return await blob.arrayBuffer();
		} catch (cause) {
			throw refusal(refusals.unreadable, `Not readable, or changed since it was chosen: ${quotePath(path)}`, {}, { cause });
		}
	}
	function hexOf(buffer) {
		return Array.from(new Uint8Array(buffer), (byte) => byte.toString(16).padStart(2, "0")).join("");
	}
	// services/observer/src/bundles-page/view.js
	/** What is shown. Text only: nothing of a manifest ever becomes markup. */
	function showManifest(place, { sha256, files, total_bytes }) {
		const count = `${files.length} ${files.length === 1 ? "file" : "files"}, ${total_bytes} bytes`;
		place.replaceChildren(element("p", "digest", sha256), element("p", "", count));
	}
	function showRefusal(place, message) {
		place.replaceChildren(element("p", "refused", message));
	}
	function showProgress(place, text) {
		place.replaceChildren(element("p", "", text));
	}
	/** Both manifests, or a hint as long as one of them is missing. */
	function showDifference(place, expected, actual) {
		if (expected === void 0 || actual === void 0) {
			place.replaceChildren(element("p", "hint", "Both sides are needed."));
			return;
		}
		const { matches, added, removed, changed } = compareManifests(expected, actual);
		const list = document.createElement("ul");
		const rows = {
			ADDED: added,
			REMOVED: removed,
			CHANGED: changed
		};
		for (const [word, paths] of Object.entries(rows)) for (const path of paths) {
			const row = document.createElement("li");
			row.append(element("b", "", word), " ", element("bdi", "", quotePath(path)));
			list.append(row);
		}
		const verdict = matches ? "The same: no path and no content differs." : "Not the same.";
		place.replaceChildren(element("p", matches ? "matches" : "differs", verdict), list);
	}
	function element(name, className, text) {
		const node = document.createElement(name);
		if (className !== "") node.className = className;
		node.textContent = text;
		return node;
	}
	// services/observer/src/bundles-page/page.js
	/**
	* Two sides and what differs between them. A side that is given something new, or something that cannot be used,
	* loses what it had, and the result with it: what is shown always belongs to what was given last.
	*/
	var Side = class {
		manifest;
		#status;
		#reading = new AbortController();
		#inputs;
		#changed;
		constructor(section, changed) {
			this.#status = section.querySelector(".status");
			this.#changed = changed;
			const manifest = section.querySelector(".manifest");
			const folder = section.querySelector(".folder");
			this.#inputs = [manifest, folder];
			manifest.addEventListener("change", () => {
				const [file] = manifest.files;
				if (file !== void 0) this.#takeFile(file, manifest);
			});
			folder.addEventListener("change", () => {
				if (folder.files.length > 0) this.#takeFolder(chosenEntries([...folder.files]), folder);
			});
			this.#listenForDrops(section);
		}
		take(read, input) {
			this.clear(input);
			const { signal } = this.#reading;
			showProgress(this.#status, "Reading");
			read(signal).then((manifest) => this.#settle(signal, () => this.#show(manifest)), (error) => this.#settle(signal, () => showRefusal(this.#status, reasonOf(error))));
		}
		/** `kept` is the input that what follows comes from; it goes on showing the name. */
		clear(kept) {
			this.#reading.abort();
			this.#reading = new AbortController();
			this.manifest = void 0;
			this.#status.replaceChildren();
			for (const input of this.#inputs) if (input !== kept) input.value = "";
			this.#changed();
		}
		#takeFile(file, input) {
			this.take((signal) => readManifest(file, signal), input);
		}
		#takeFolder(entries, input) {
			this.take((signal) => {
				const progress = (done, all) => {
					if (!signal.aborted) showProgress(this.#status, `Reading ${done} of ${all} files`);
				};
				return readFolder(entries, signal, progress);
			}, input);
		}
		#settle(signal, show) {
			if (signal.aborted) return;
			show();
			this.#changed();
		}
		#show(manifest) {
			this.manifest = manifest;
			showManifest(this.#status, manifest);
		}
		#listenForDrops(section) {
			const over = (on) => section.classList.toggle("over", on);
			section.addEventListener("dragover", (event) => {
				event.preventDefault();
				over(true);
			});
			section.addEventListener("dragleave", () => over(false));
			section.addEventListener("drop", (event) => {
				event.preventDefault();
				over(false);
				const [item, ...more] = [...event.dataTransfer.items].filter(({ kind }) => kind === "file");
				const entry = item?.webkitGetAsEntry();
				const file = item?.getAsFile();
				const handle = location.protocol === "file:" ? item?.getAsFileSystemHandle?.() : void 0;
				if (item === void 0) return;
				if (more.length > 0) this.take(() => Promise.reject(/* @__PURE__ */ new Error("One manifest or one folder at a time")));
				else if (entry?.isDirectory === true) this.#takeFolder(handle === void 0 ? droppedEntries(entry) : handleEntries(handle));
				else this.#takeFile(file);
			});
		}
	};
	function reasonOf(error) {
		const word = refusalOf(error);
		return word === void 0 ? error.message : `${error.message} (${word})`;
	}
	var byId = (id) => document.getElementById(id);
	var showResult = () => showDifference(byId("result"), reviewed.manifest, now.manifest);
	var reviewed = new Side(byId("reviewed"), showResult);
	var now = new Side(byId("now"), showResult);
	byId("example").addEventListener("click", () => {
		reviewed.take(() => checkManifest(example_default.reviewed, sha256));
		now.take(() => checkManifest(example_default.now, sha256));
	});
	byId("reset").addEventListener("click", () => {
		reviewed.clear();
		now.clear();
	});
	for (const name of ["dragover", "drop"]) document.addEventListener(name, (event) => event.preventDefault());
	showResult();
})();
