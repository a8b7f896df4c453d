package ecmascript

import "strings"

// The modules that global names come from.
const (
	moduleES   = "lib.es"
	moduleDOM  = "lib.dom"
	moduleNode = "node"
	moduleTest = "test globals"
)

// knownGlobal returns where a global name comes from that no import brings, ""
// for one that is not known.
func knownGlobal(name string) string { return globalNames[name] }

// globalNames are the names that the language, browsers, Node.js and the usual
// test runners declare globally: those of ECMA-262 with the utility types of
// TypeScript's lib.es5.d.ts, the interfaces and functions of TypeScript's
// lib.dom.d.ts and lib.webworker.d.ts that programs use, the globals that the
// Node.js documentation lists, and those of Jest, Mocha, Jasmine and Vitest.
var globalNames = func() map[string]string {
	m := map[string]string{}
	for module, names := range map[string]string{moduleES: globalsES, moduleDOM: globalsDOM, moduleNode: globalsNode, moduleTest: globalsTest} {
		for name := range strings.FieldsSeq(names) {
			m[name] = module
		}
	}
	return m
}()

const globalsES = `globalThis Infinity NaN undefined eval isFinite isNaN parseFloat parseInt decodeURI decodeURIComponent
encodeURI encodeURIComponent escape unescape AggregateError Array ArrayBuffer Atomics BigInt BigInt64Array BigUint64Array
Boolean DataView Date Error EvalError FinalizationRegistry Float32Array Float64Array Function Int8Array Int16Array
Int32Array Intl JSON Map Math Number Object Promise Proxy RangeError ReferenceError Reflect RegExp Set SharedArrayBuffer
String Symbol SyntaxError TypeError Uint8Array Uint8ClampedArray Uint16Array Uint32Array URIError WeakMap WeakRef WeakSet
WebAssembly arguments Iterator
Partial Required Readonly Record Pick Omit Exclude Extract NonNullable Parameters ConstructorParameters ReturnType
InstanceType ThisParameterType OmitThisParameter ThisType Uppercase Lowercase Capitalize Uncapitalize Awaited NoInfer
ReadonlyArray ReadonlyMap ReadonlySet PromiseLike PromiseConstructor ArrayLike ArrayBufferLike ArrayBufferView ConcatArray
Iterable IterableIterator AsyncIterable AsyncIterator AsyncIterableIterator Generator GeneratorFunction AsyncGenerator
AsyncGeneratorFunction IteratorResult IteratorYieldResult IteratorReturnResult ArrayIterator MapIterator SetIterator
PropertyKey PropertyDescriptor PropertyDescriptorMap TypedPropertyDescriptor TemplateStringsArray CallableFunction
NewableFunction IArguments ErrorConstructor ErrorOptions ObjectConstructor ArrayConstructor StringConstructor
NumberConstructor BooleanConstructor FunctionConstructor DateConstructor RegExpConstructor MapConstructor SetConstructor
SymbolConstructor ProxyHandler RegExpMatchArray RegExpExecArray PromiseSettledResult PromiseFulfilledResult
PromiseRejectedResult ClassDecorator PropertyDecorator MethodDecorator ParameterDecorator ImportMeta ImportAttributes
DecoratorContext ClassDecoratorContext ClassMethodDecoratorContext WeakKey BuiltinIteratorReturn Disposable AsyncDisposable
SuppressedError DisposableStack AsyncDisposableStack JSX`

const globalsDOM = `window document self top parent frames navigator location history screen localStorage sessionStorage
console alert confirm prompt open close stop focus blur print postMessage fetch setTimeout clearTimeout setInterval
clearInterval setImmediate clearImmediate queueMicrotask structuredClone requestAnimationFrame cancelAnimationFrame
requestIdleCallback cancelIdleCallback getComputedStyle getSelection matchMedia scroll scrollTo scrollBy atob btoa
addEventListener removeEventListener dispatchEvent reportError crypto performance indexedDB caches origin name status event
innerWidth innerHeight outerWidth outerHeight devicePixelRatio scrollX scrollY pageXOffset pageYOffset importScripts
isSecureContext crossOriginIsolated customElements visualViewport onmessage createImageBitmap
Window Document Element Node Event EventTarget HTMLElement SVGElement MathMLElement Text Comment Attr CharacterData DocumentFragment
DocumentType ShadowRoot NodeList NodeListOf HTMLCollection HTMLCollectionOf NamedNodeMap DOMTokenList DOMRect DOMRectReadOnly DOMRectList
DOMPoint DOMPointReadOnly DOMMatrix DOMMatrixReadOnly DOMQuad DOMParser DOMException DOMImplementation DOMStringMap DOMStringList
XMLSerializer XMLHttpRequest XMLHttpRequestUpload XMLDocument XPathResult XPathEvaluator Range StaticRange Selection TreeWalker NodeIterator NodeFilter
MutationObserver MutationRecord MutationCallback ResizeObserver ResizeObserverEntry ResizeObserverCallback ResizeObserverSize IntersectionObserver IntersectionObserverEntry
IntersectionObserverInit IntersectionObserverCallback PerformanceObserver PerformanceEntry PerformanceMark PerformanceMeasure Performance
HTMLAnchorElement HTMLAreaElement HTMLAudioElement HTMLBaseElement HTMLBodyElement HTMLBRElement HTMLButtonElement
HTMLCanvasElement HTMLDataElement HTMLDataListElement HTMLDetailsElement HTMLDialogElement HTMLDivElement HTMLDListElement
HTMLEmbedElement HTMLFieldSetElement HTMLFormControlsCollection HTMLFormElement HTMLHeadElement HTMLHeadingElement HTMLHRElement HTMLHtmlElement
HTMLIFrameElement HTMLImageElement HTMLInputElement HTMLLabelElement HTMLLegendElement HTMLLIElement HTMLLinkElement HTMLMapElement HTMLMediaElement
HTMLMenuElement HTMLMetaElement HTMLMeterElement HTMLModElement HTMLObjectElement HTMLOListElement HTMLOptGroupElement HTMLOptionElement HTMLOptionsCollection
HTMLOutputElement HTMLParagraphElement HTMLPictureElement HTMLPreElement HTMLProgressElement HTMLQuoteElement HTMLScriptElement HTMLSelectElement
HTMLSlotElement HTMLSourceElement HTMLSpanElement HTMLStyleElement HTMLTableCaptionElement HTMLTableCellElement HTMLTableColElement HTMLTableElement
HTMLTableRowElement HTMLTableSectionElement HTMLTemplateElement HTMLTextAreaElement HTMLTimeElement HTMLTitleElement HTMLTrackElement HTMLUListElement
HTMLUnknownElement HTMLVideoElement HTMLElementTagNameMap HTMLElementEventMap SVGElementTagNameMap SVGSVGElement SVGGElement SVGPathElement SVGCircleElement SVGRectElement
SVGLineElement SVGTextElement SVGTextContentElement SVGTSpanElement SVGUseElement SVGDefsElement SVGImageElement SVGGraphicsElement SVGGeometryElement SVGPolygonElement
SVGPolylineElement SVGEllipseElement SVGStyleElement SVGSymbolElement SVGMaskElement SVGPatternElement SVGLength SVGMatrix SVGPoint SVGRect SVGNumber SVGTransform
UIEvent MouseEvent PointerEvent KeyboardEvent WheelEvent TouchEvent Touch TouchList DragEvent FocusEvent InputEvent CompositionEvent
ClipboardEvent AnimationEvent TransitionEvent ProgressEvent CustomEvent MessageEvent ErrorEvent PopStateEvent HashChangeEvent StorageEvent
PageTransitionEvent BeforeUnloadEvent SubmitEvent FormDataEvent PromiseRejectionEvent SecurityPolicyViolationEvent CloseEvent MediaQueryListEvent GamepadEvent
DeviceMotionEvent DeviceOrientationEvent FontFaceSetLoadEvent EventInit MouseEventInit KeyboardEventInit PointerEventInit WheelEventInit CustomEventInit
EventListener EventListenerObject EventListenerOrEventListenerObject AddEventListenerOptions EventListenerOptions EventSource EventSourceInit
WindowEventMap DocumentEventMap GlobalEventHandlers GlobalEventHandlersEventMap WindowProxy
AbortController AbortSignal Blob BlobPart BlobPropertyBag File FileList FileReader FileReaderSync FormData FormDataEntryValue Headers HeadersInit Request
RequestInfo RequestInit RequestMode RequestCredentials RequestCache RequestRedirect Response ResponseInit ResponseType BodyInit Body URL URLSearchParams ReadableStream ReadableStreamDefaultReader
ReadableStreamDefaultController WritableStream WritableStreamDefaultWriter TransformStream TransformStreamDefaultController ByteLengthQueuingStrategy CountQueuingStrategy
TextEncoder TextDecoder TextEncoderStream TextDecoderStream CompressionStream DecompressionStream WebSocket BroadcastChannel MessageChannel MessagePort Worker WorkerOptions
SharedWorker ServiceWorker ServiceWorkerContainer ServiceWorkerRegistration ServiceWorkerGlobalScope DedicatedWorkerGlobalScope WorkerGlobalScope Cache CacheStorage
Storage StorageManager StorageEstimate Navigator Location History Screen Console Crypto CryptoKey CryptoKeyPair SubtleCrypto BufferSource Clipboard ClipboardItem ClipboardItems DataTransfer
DataTransferItem DataTransferItemList FileSystemHandle FileSystemFileHandle FileSystemDirectoryHandle FileSystemWritableFileStream
ImageData ImageBitmap ImageBitmapRenderingContext OffscreenCanvas OffscreenCanvasRenderingContext2D CanvasRenderingContext2D CanvasGradient CanvasPattern CanvasImageSource CanvasTextAlign CanvasTextBaseline
CanvasLineCap CanvasLineJoin CanvasFillRule GlobalCompositeOperation ImageSmoothingQuality Path2D TextMetrics WebGLRenderingContext WebGL2RenderingContext WebGLProgram WebGLShader WebGLTexture WebGLBuffer WebGLUniformLocation
Image Audio Option AudioContext AudioBuffer AudioNode AudioParam GainNode OscillatorNode MediaStream MediaStreamTrack MediaStreamConstraints MediaRecorder MediaDevices MediaSource MediaError MediaQueryList
RTCPeerConnection RTCDataChannel RTCSessionDescription RTCIceCandidate Notification NotificationOptions Permissions PermissionStatus Geolocation GeolocationPosition Gamepad
IDBDatabase IDBFactory IDBIndex IDBKeyRange IDBObjectStore IDBOpenDBRequest IDBRequest IDBTransaction IDBCursor IDBCursorWithValue IDBValidKey IDBVersionChangeEvent
CSS CSSStyleDeclaration CSSStyleSheet CSSStyleRule CSSRule CSSRuleList StyleSheet StyleSheetList FontFace FontFaceSet FontFaceDescriptors
Animation AnimationEffect KeyframeEffect Keyframe KeyframeAnimationOptions ScrollBehavior ScrollOptions ScrollToOptions ScrollIntoViewOptions ScrollLogicalPosition
CustomElementRegistry ElementInternals ValidityState VisualViewport ParentNode ChildNode NonElementParentNode InnerHTML ARIAMixin
FrameRequestCallback IdleDeadline IdleRequestCallback IdleRequestOptions VoidFunction BinaryData BlobCallback TimerHandler PropertyIndexedKeyframes DOMHighResTimeStamp
Transferable StructuredSerializeOptions QueuingStrategy UnderlyingSource PaymentRequest SpeechSynthesisUtterance speechSynthesis Plugin MimeType HTMLOrSVGElement LaunchParams`

const globalsNode = `process global Buffer require module exports __dirname __filename NodeJS BufferEncoding NodeRequire NodeModule
Bun Deno`

const globalsTest = `describe it test expect suite beforeEach afterEach beforeAll afterAll before after vi jest vitest assert
expectTypeOf assertType xit xdescribe fit fdescribe context specify setup teardown jasmine spyOn chai cy Cypress sinon`

// isObjectMember reports whether every object has a member of this name.
func isObjectMember(name string) bool {
	switch name {
	case "toString", "valueOf", "hasOwnProperty", "isPrototypeOf", "propertyIsEnumerable", "toLocaleString", "__proto__",
		"__defineGetter__", "__defineSetter__", "__lookupGetter__", "__lookupSetter__":
		return true
	}
	return false
}

// isFunctionMember reports whether every function has a member of this name.
func isFunctionMember(name string) bool {
	switch name {
	case "apply", "call", "bind", "length", "name", "prototype", "caller", "arguments", "toString":
		return true
	}
	return false
}
